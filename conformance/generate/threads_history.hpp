// One history of the suite `threads`.
//
// Rounds of calls that several threads make at once, few enough that every order of them can be tried, and between the
// rounds what one thread can read: statistics, settings, content. In a round each block is in the hands of one thread,
// and what a thread does with it is in order whatever the others do: no order of the calls is a program fault.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "conformance/generate/operation.hpp"
#include "conformance/generate/writer.hpp"
#include "conformance/kit/live_run.hpp"

namespace streampool::generate {

class ThreadsHistory {
 public:
  // `run` is fresh; all must outlive the object.
  ThreadsHistory(kit::LiveRun& run, const Setting& setting, history::NameTable& names, std::uint64_t seed);
  // Until it ends or something is found.
  void play();

 private:
  using Call = history::Call;
  using Name = history::Name;
  struct Block {
    Name name;
    Name stream;           // where it was allocated and is used
    std::uint64_t size;    // bytes
    bool settled = false;  // all of that is proved: it may be freed on any stream
    std::uint8_t byte = 0;
  };

  // What is special about a round.
  struct Round {
    bool syncs = true;        // synchronizing calls may stand in it
    Name dying = Name::none;  // a pool that is destroyed in it
  };

  bool begin();
  bool make_pool();
  bool round();
  bool look();  // what one thread can read
  void end();

  // The next call of a thread; `mine` are the blocks in its hands, with those that it has just asked for.
  [[nodiscard]] Call draw_call(std::vector<Block>& mine, const Round& round);
  // A pool that this round may destroy, now and then.
  [[nodiscard]] Name draw_dying();
  void learn(std::size_t first_line);  // what a round has made
  bool apply(Call call);
  [[nodiscard]] bool offers(const Call& call) const;

  [[nodiscard]] std::uint64_t random(std::uint64_t below) { return (random_.next() >> 16) % below; }
  [[nodiscard]] Name fresh(std::string_view prefix);
  template <class Row>
  [[nodiscard]] const Row& any(const std::vector<Row>& rows) {
    return rows[random(rows.size())];
  }
  [[nodiscard]] Call malloc(Name pool);
  [[nodiscard]] Call get(Name pool, int attribute) const;

  kit::LiveRun& run_;
  const Setting setting_;
  history::NameTable& names_;
  Random random_;
  std::vector<history::Thread> threads_;
  std::vector<Name> streams_, events_, pools_;
  std::vector<Block> blocks_;
  unsigned counter_ = 0;
};

}  // namespace streampool::generate
