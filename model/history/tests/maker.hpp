// Makes well-formed histories out of a list of numbers, walking the signature table, so that a property can shrink the
// list.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/history/history.hpp"
#include "model/history/signature.hpp"

namespace streampool::history {

class Maker {
 public:
  explicit Maker(std::vector<std::uint32_t> choices);
  // One history of at most `lines` lines; every form of line, parameter and result item can occur.
  std::vector<Line> history(std::size_t lines);
  [[nodiscard]] NameTable& names() { return names_; }

 private:
  std::uint64_t pick(std::uint64_t count);  // below count
  bool coin() { return pick(2) == 1; }
  std::uint64_t any_number();
  std::vector<Name>& known(NameKind kind) { return known_[static_cast<std::size_t>(kind)]; }
  bool possible(const Signature& shape);
  Name some(NameKind kind) { return known(kind)[pick(known(kind).size())]; }
  Name some_stream();
  Name fresh_name();
  Pointer some_pointer();
  AttributeValue some_value();
  Attribute some_attribute();
  std::optional<Device> some_device();
  void fill_in(const Parameter& parameter, Call& call);
  Call some_call();
  Result some_result(Op op);
  void settle(const Call& call, Status status);
  bool make_expect(Line& line);
  void make_call(Line& line);
  void preamble(std::vector<Line>& out);

  struct Open {
    std::uint32_t id;
    Thread thread;
    Call call;
  };
  std::vector<std::uint32_t> choices_;
  std::size_t used_ = 0;
  NameTable names_;
  std::array<std::vector<Name>, 5> known_;
  std::vector<std::string> labels_;
  std::vector<Open> open_;
  std::uint64_t made_ = 0;
};

}  // namespace streampool::history
