// What is known at a line of a history: names and their kinds, labels, devices, open calls. Internal to the reader.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "model/history/history.hpp"

namespace streampool::history {

class Scope {
 public:
  enum class State : std::uint8_t {
    free,     // never defined, or the call that would have defined it failed
    pending,  // an open call defines it
    defined,  // for good: dead names may be passed
  };
  struct OpenCall {
    std::uint32_t id = 0;
    Thread thread = Thread::main;
    Call call;
  };

  [[nodiscard]] State state(Name name) const {
    const auto index = static_cast<std::size_t>(name);
    return index < names_.size() ? names_[index].state : State::free;
  }
  [[nodiscard]] NameKind kind(Name name) const { return names_[static_cast<std::size_t>(name)].kind; }  // not free
  void set(Name name, State state, NameKind kind) {
    const auto index = static_cast<std::size_t>(name);
    if (index >= names_.size()) names_.resize(std::max(index + 1, names_.size() * 2));
    names_[index] = {state, kind};
  }

  [[nodiscard]] bool has_label(std::string_view label) const { return labels_.find(label).has_value(); }
  [[nodiscard]] bool labels_call(std::string_view label) const {
    const auto index = labels_.find(label);
    return index && call_labels_[static_cast<std::size_t>(*index)];
  }
  void add_label(std::string_view label, bool on_call) {
    const auto index = static_cast<std::size_t>(labels_.intern(label));
    if (index >= call_labels_.size()) call_labels_.resize(index + 1);
    call_labels_[index] = on_call;
  }

  [[nodiscard]] bool has_device(Device device) const {
    return std::find(devices_.begin(), devices_.end(), device) != devices_.end();
  }
  void add_device(Device device) { devices_.push_back(device); }

  // At most one call a thread is open, so these lists are as short as threads are few.
  [[nodiscard]] const OpenCall* open_of(Thread thread) const {
    return find_open([thread](const OpenCall& open) { return open.thread == thread; });
  }
  [[nodiscard]] const OpenCall* open_with(std::uint32_t id) const {
    return find_open([id](const OpenCall& open) { return open.id == id; });
  }
  void begin(std::uint32_t id, Thread thread, const Call& call) { open_.push_back({id, thread, call}); }
  void end(const OpenCall* open) { open_.erase(open_.begin() + (open - open_.data())); }

  bool any_call = false;
  bool any_profile = false;
  std::vector<Device> declared;  // by a `device` line

 private:
  struct Entry {
    State state = State::free;
    NameKind kind = NameKind::stream;
  };
  template <typename Predicate>
  [[nodiscard]] const OpenCall* find_open(Predicate predicate) const {
    const auto at = std::find_if(open_.begin(), open_.end(), predicate);
    return at == open_.end() ? nullptr : &*at;
  }

  std::vector<Entry> names_;
  NameTable labels_;  // used as a set
  std::vector<bool> call_labels_;
  std::vector<Device> devices_{Device{0}};
  std::vector<OpenCall> open_;
};

}  // namespace streampool::history
