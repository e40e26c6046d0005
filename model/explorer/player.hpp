// A run of random calls, played on the rules and on their naive twin (twin.hpp) at once, until the two part.
//
// It goes through the rule text itself, not through the machine: every argument is tried, not only those that the
// machine would choose.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "model/explorer/twin.hpp"
#include "model/machine/values.hpp"
#include "spec/rules/names.hpp"
#include "spec/rules/state.hpp"

namespace streampool::model::explorer {

enum class Do : std::uint8_t {
  launch,
  fill,
  record,
  wait,
  hold,
  open,
  begin,
  end,
  query,
  sync,
  event_query,
  event_sync,
  device_sync,
  malloc,
  free,
  free_sync,
  plain_malloc,
  trim,
  set_switch,
  set_threshold,
  reset_used,
  reset_reserved,
  create_pool,
  destroy_pool,
  recreate_stream,
  recreate_event,
};

struct Choice {
  Do call;
  std::array<std::uint8_t, 6> n;  // operands, each taken modulo what there is
};
using Run = std::vector<Choice>;

// How a pool begins.
struct Beginning {
  bool keeps_all;                // the release threshold is at its maximum
  std::array<bool, 3> switches;  // follow event dependencies, opportunistic, internal dependencies
};

// Where the rules and the twin part.
struct Parting {
  std::string theorem, sentence, history;
  // Of rising worth: nothing that an observer sees; a step that is gone; a program's fault let pass; a runtime's.
  enum class Kind : std::uint8_t { unseen, vanished, fault, seen } kind = Kind::unseen;
};

class Player {
 public:
  explicit Player(const Beginning& beginning);
  // Nothing: they agree to the end.
  [[nodiscard]] std::optional<Parting> play(const Run& run);

 private:
  using V = machine::Values;
  using State = spec::State<V>;
  static constexpr std::size_t slots = 4, event_slots = 2, most_pools = 2, most_blocks = 5;
  static constexpr std::uint64_t unit = std::uint64_t{1} << 20;  // bytes

  // Names.
  static std::string stream(std::size_t s) { return s == 0 ? "legacy" : fmt::format("s{}", s); }
  static std::string pool(std::size_t p) { return fmt::format("p{}", p + 1); }
  static std::string block(std::size_t y) { return fmt::format("a{}", y + 1); }
  static std::string address(std::size_t base) { return fmt::format("0x{:x}", 0x10000000 + base * unit); }
  static V::Pool pool_id(std::size_t p) { return V::Pool(p + 1); }
  static V::Allocation block_id(std::size_t y) { return V::Allocation(y + 1); }
  void line(const std::string& text) { lines_.push_back(text + " -> ok"); }
  [[nodiscard]] std::string text() const;

  // Comparison. Both were asked; answers whether the step is taken.
  bool decide(bool by_rules, bool by_twin, bool visible, const char* theorem, const std::string& what,
              const std::vector<std::string>& lines);
  void part(Parting parting);
  void read_all();  // the attributes of every pool
  void compare(std::size_t p, const char* attribute, std::uint64_t by_rules, std::uint64_t by_twin, std::uint64_t scale,
               const char* theorem);
  static std::string reading(std::size_t p, const State& state);  // of reserved_mem_current

  // Calls: items and the host.
  void take(const Choice& c);
  void submit_plain(std::size_t s);
  void fill(std::size_t s, std::size_t y);
  bool begin(std::size_t s);
  bool end(std::size_t s);
  void run_on();
  void not_awaited(Items runtime);
  void answer_stream(std::size_t s, bool sync, const Choice& c);
  void answer_event(std::size_t e, bool sync, const Choice& c);
  void answer_device(const Choice& c);
  void add_stream(std::size_t slot, V::Stream identity, bool legacy, bool blocking);
  void add_event(std::size_t slot, V::Event identity);
  void recreate_stream(const Choice& c);
  void recreate_event(const Choice& c);

  // Calls: memory.
  void give_back_after(bool listed, const Choice& c, const std::string& call);
  void malloc(const Choice& c);
  void plain_malloc(const Choice& c);
  void free(std::size_t s, std::size_t y);
  void free_sync(std::size_t y);
  void trim(const Choice& c);
  void create(std::uint64_t max_size);
  void destroy(std::size_t p);
  void set(const Choice& c);

  struct Span {
    std::size_t base, size;
  };
  static Span span_of(const Choice& c) {
    const std::size_t base = c.n[2] % (memory_units / 2) * 2;
    return {base, std::min<std::size_t>((1 + c.n[3] % 2) * 2, memory_units - base)};
  }
  template <class F>
  static bool every_unit(const std::array<std::size_t, memory_units>& of, Span span, F&& holds) {
    for (std::size_t i = span.base; i < span.base + span.size; ++i) {
      if (!holds(of[i])) return false;
    }
    return true;
  }
  [[nodiscard]] bool reads_less(std::size_t p, const State& after) const {
    return after.pools.reserved.get(pool_id(p)) < rules_.pools.reserved.get(pool_id(p));
  }
  bool live_or_held(Span span) const {
    return !every_unit(twin_.newest, span, [&](std::size_t y) {
      return y == nobody || (twin_.blocks[y].freed && !twin_.held(twin_.blocks[y].free_cut));
    });
  }

  const Beginning beginning_;
  State rules_;
  spec::Names<V, V::Stream> stream_names_;
  spec::Names<V, V::Event> event_names_;
  Twin twin_;
  std::array<std::size_t, slots> slot_stream_{};
  std::array<std::size_t, event_slots> slot_event_{};
  std::vector<V::Stream> stream_ids_;
  std::vector<V::Event> event_ids_;
  std::vector<std::string> lines_;
  std::optional<Parting> parting_;
  bool over_ = false;
};

}  // namespace streampool::model::explorer
