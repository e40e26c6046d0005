// RULES-EXACT: random runs of the rules beside their naive twin.
//
// The runs go through the rule text itself, not through the machine: every argument is tried, not only those that the
// machine would choose. Where the two part, the run is made as short as it can be and written as a history.
#include <algorithm>
#include <random>

#include "fmt/format.h"
#include "model/explorer/theorems.hpp"
#include "model/explorer/twin.hpp"
#include "model/machine/values.hpp"
#include "spec/rules/attributes.hpp"
#include "spec/rules/names.hpp"
#include "spec/rules/pool.hpp"
#include "spec/rules/program.hpp"

namespace streampool::model::explorer {

namespace {

using V = machine::Values;

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

// How often each call is tried, in the order of Do; one row a kind of run.
struct Flavour {
  bool keeps_all;                // the threshold is at its maximum
  std::array<bool, 3> switches;  // how a pool begins
  std::array<double, 26> weights;
};
constexpr Flavour flavours[] = {
    // launch fill rec wait hold open begin end query sync eq es dsync malloc free fs plain trim sw thr ru rr cp dp rs
    // re
    {true, {true, false, false}, {1, 1, 3,  3,  2,  .3, 2, 2, 2, 1,  1,  1, .5,
                                  6, 5, .3, .5, .5, .5, 0, 0, 0, .2, .2, 1, 1}},
    {true, {true, true, false}, {1, 1, 2,  2,  2,  .3, 2, 2, 2, 1,  1,  1,  .5,
                                 6, 5, .3, .5, .5, 1,  0, 0, 0, .2, .2, .3, .3}},
    {true, {true, false, false}, {1, 3, 3, 3,  1,  .3, 2, 2, 2, 2,  1,  1,  .5,
                                  4, 4, 1, .5, .3, .3, 0, 0, 0, .1, .1, .3, .3}},
    {false, {true, true, true}, {.5, .2, .5, .5, 1, .5, 2,   2, .5, 3,  .2, .5, .5,
                                 5,  5,  1,  .5, 3, .3, 1.5, 1, 1,  .7, .5, 0,  0}},
    {true, {true, true, true}, {.5, .2, .5, .5, .5, .5, 2, 2,   .5,  1,  .2, .5, .5,
                                5,  4,  1,  .5, 2,  1,  1, 1.5, 1.5, .7, .5, 0,  0}},
};

struct Choice {
  Do call;
  std::array<std::uint8_t, 6> n;  // operands, each taken modulo what there is
};
using Run = std::vector<Choice>;

constexpr std::size_t slots = 4, event_slots = 2, most_pools = 2, most_blocks = 5;
constexpr std::uint64_t unit = std::uint64_t{1} << 20;
constexpr const char* switch_names[] = {"reuse_follow_event_dependencies", "reuse_allow_opportunistic",
                                        "reuse_allow_internal_dependencies"};

struct Parting {
  std::string theorem, sentence, history;
  // Of rising worth: nothing that an observer sees; a step that is gone; a program's fault let pass; a runtime's.
  enum class Kind : std::uint8_t { unseen, vanished, fault, seen } kind = Kind::unseen;
};

class Player {
 public:
  explicit Player(const Flavour& flavour) : flavour_(flavour) {
    for (std::size_t s = 0; s < slots; ++s) {
      add_stream(s, V::Stream(s + 1), s == 0, s == 1);
      if (s > 0) line(fmt::format("stream_create s{} {}", s, s == 1 ? "blocking" : "nonblocking"));
    }
    for (std::size_t e = 0; e < event_slots; ++e) add_event(e, V::Event(e + 1));
    spec::make_gate(rules_.device, V::Gate(1));
    line("gate_create g");
    create(0);
  }

  std::optional<Parting> play(const Run& run) {
    for (const Choice& choice : run) {
      if (twin_.waits.size() + 2 > most_items) break;
      take(choice);
      if (!over_) read_all();
      if (over_) break;
    }
    if (parting_) parting_->history = text();
    return parting_;
  }

 private:
  using State = spec::State<V>;

  // Names
  static std::string stream(std::size_t s) { return s == 0 ? "legacy" : fmt::format("s{}", s); }
  static std::string pool(std::size_t p) { return fmt::format("p{}", p + 1); }
  static std::string block(std::size_t y) { return fmt::format("a{}", y + 1); }
  static std::string address(std::size_t base) { return fmt::format("0x{:x}", 0x10000000 + base * unit); }
  static V::Pool pool_id(std::size_t p) { return V::Pool(p + 1); }
  static V::Allocation block_id(std::size_t y) { return V::Allocation(y + 1); }

  void line(const std::string& text) { lines_.push_back(text + " -> ok"); }
  std::string text() const {
    std::string all = fmt::format("streampool-history 1\n# {}\nprofile strict\n", parting_->sentence);
    for (const std::string& one : lines_) all += one + "\n";
    return all;
  }

  void add_stream(std::size_t slot, V::Stream identity, bool legacy, bool blocking) {
    slot_stream_[slot] = twin_.streams.size();
    twin_.streams.push_back({.legacy = legacy, .blocking = blocking});
    stream_ids_.push_back(identity);
    stream_names_.of.edit(V::Handle(slot + 1)) = identity;
    stream_names_.given.edit(identity) = 1;
    if (blocking) {
      rules_.follows.edit(identity).push_back(stream_ids_[0]);
      rules_.follows.edit(stream_ids_[0]).push_back(identity);
    }
  }
  void add_event(std::size_t slot, V::Event identity) {
    slot_event_[slot] = twin_.events.size();
    line(fmt::format("event_create e{}", twin_.events.size()));
    twin_.events.emplace_back();
    event_ids_.push_back(identity);
    event_names_.of.edit(V::Handle(slot + 1)) = identity;
    event_names_.given.edit(identity) = 1;
  }

  // Both are asked. Answers whether the step is taken.
  bool decide(bool by_rules, bool by_twin, bool visible, const char* theorem, const std::string& what,
              const std::vector<std::string>& lines) {
    if (by_rules || by_twin) lines_.insert(lines_.end(), lines.begin(), lines.end());
    if (by_rules == by_twin) return by_rules;
    if (by_rules) {
      using enum Parting::Kind;
      const bool program = std::string_view(theorem) == "PROGRAM-SOUND";
      part({theorem,
            fmt::format("The rules permit what they must not: {}", what),
            {},
            !visible  ? unseen
            : program ? fault
                      : seen});
      return true;
    }
    part({"PERMITTED", fmt::format("A permitted outcome has vanished: {}", what), {}, Parting::Kind::vanished});
    return false;
  }
  void part(Parting parting) {
    over_ = parting.kind != Parting::Kind::unseen;
    if (over_ || !parting_) parting_ = std::move(parting);
  }

  // The attributes of every pool.
  void read_all() {
    for (std::size_t p = 0; p < twin_.pools.size() && !over_; ++p) {
      const TwinPool& mine = twin_.pools[p];
      if (mine.destroyed) continue;
      const auto& row = rules_.pools;
      const auto id = pool_id(p);
      const bool on[] = {row.follow_event_dependencies.get(id), row.allow_opportunistic.get(id),
                         row.allow_internal_dependencies.get(id)};
      for (std::size_t i = 0; i < 3; ++i) compare(p, switch_names[i], on[i], mine.switches[i], 1, "FRAME");
      compare(p, "release_threshold", row.release_threshold.get(id), mine.threshold, unit, "FRAME");
      compare(p, "reserved_mem_current", row.reserved.get(id), mine.reserved, unit, "ACCOUNTING");
      compare(p, "used_mem_current", row.used.get(id), mine.used, unit, "ACCOUNTING");
      compare(p, "reserved_mem_high", row.reserved_high.get(id), mine.reserved_high, unit, "ACCOUNTING");
      compare(p, "used_mem_high", row.used_high.get(id), mine.used_high, unit, "ACCOUNTING");
    }
  }
  static std::string bytes(std::uint64_t value, std::uint64_t scale) {
    return value == UINT64_MAX && scale == unit ? "max" : std::to_string(value * scale);
  }
  void compare(std::size_t p, const char* attribute, std::uint64_t by_rules, std::uint64_t by_twin, std::uint64_t scale,
               const char* theorem) {
    if (by_rules == by_twin || over_) return;
    lines_.push_back(fmt::format("pool_get {} {} -> ok {}", pool(p), attribute, bytes(by_rules, scale)));
    part({theorem,
          fmt::format("{} of {} is {} by the rules, {} by the twin.", attribute, pool(p), bytes(by_rules, scale),
                      bytes(by_twin, scale)),
          {},
          Parting::Kind::seen});
  }
  std::string reserved_line(std::size_t p) const {
    return fmt::format("pool_get {} reserved_mem_current -> ok {}", pool(p),
                       rules_.pools.reserved.get(pool_id(p)) * unit);
  }

  // Calls
  void take(const Choice& c);
  void submit_plain(std::size_t s) {
    spec::submit(rules_, stream_ids_[s]);
    twin_.submit(s);
    line("launch " + stream(s));
  }
  bool begin(std::size_t s);
  bool end(std::size_t s);
  void run_on();
  void fill(std::size_t s, std::size_t y);
  void answer_stream(std::size_t s, bool sync, const Choice& c);
  void answer_event(std::size_t e, bool sync, const Choice& c);
  void answer_device(const Choice& c);
  void give_back_after(bool listed, const Choice& c, const std::string& call);
  void malloc(const Choice& c);
  void plain_malloc(const Choice& c);
  void free(std::size_t s, std::size_t y);
  void free_sync(std::size_t y);
  void trim(const Choice& c);
  void create(std::uint64_t max_size);
  void recreate_stream(const Choice& c);
  void recreate_event(const Choice& c);
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
  // A wait that an earlier reuse claimed was not there: what comes behind it has ended, and a gate still holds the
  // free.
  void not_awaited(Items runtime) {
    if (parting_ && twin_.held(runtime)) part({parting_->theorem, parting_->sentence, {}, Parting::Kind::seen});
  }
  bool live_or_held(Span span) const {
    return !every_unit(twin_.newest, span, [&](std::size_t y) {
      return y == nobody || (twin_.blocks[y].freed && !twin_.held(twin_.blocks[y].free_cut));
    });
  }

  const Flavour& flavour_;
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

void Player::fill(std::size_t s, std::size_t y) {
  State after = rules_;
  Twin next = twin_;
  spec::submit(after, stream_ids_[s]);
  const std::size_t i = next.submit(s);
  const bool owed = spec::use_owed(after, stream_ids_[s], block_id(y));
  if (!decide(owed, next.may_use(s, y), true, "PROGRAM-SOUND", "a use of " + block(y),
              {fmt::format("fill {} {} 0x01 -> ok", stream(s), block(y))}))
    return;
  spec::note_use(after, stream_ids_[s], block_id(y));
  next.blocks[y].uses |= Twin::one(i);
  rules_ = after;
  twin_ = next;
}

bool Player::begin(std::size_t s) {
  State after = rules_;
  const bool by_rules = spec::start(after.device, after.runtime, stream_ids_[s]), by_twin = twin_.may_begin(s);
  if (!decide(by_rules, by_twin, false, "ORDER-SOUND", "the device begins an item of " + stream(s), {})) return false;
  rules_ = after;
  if (by_twin) ++twin_.streams[s].begun;
  return by_twin;
}

bool Player::end(std::size_t s) {
  State after = rules_;
  const bool by_rules = spec::finish(after.device, stream_ids_[s]), by_twin = twin_.may_end(s);
  if (!decide(by_rules, by_twin, false, "ORDER-SOUND", "the device ends an item of " + stream(s), {})) return false;
  rules_ = after;
  if (by_twin) twin_.end(s);
  return by_twin;
}

// A call that waits: the device runs as far as the closed gate lets it.
void Player::run_on() {
  for (bool moved = true; moved && !over_;) {
    moved = false;
    for (std::size_t s = 0; s < twin_.streams.size() && !over_; ++s) {
      const bool begun = begin(s);
      const bool ended = !over_ && end(s);
      moved = moved || begun || ended;
    }
  }
}

// Memory that a call may give back when it has returned.
void Player::give_back_after(bool listed, const Choice& c, const std::string& call) {
  const std::size_t p = c.n[1] % twin_.pools.size();
  const Span span = span_of(c);
  const TwinPool& pool_now = twin_.pools[p];
  if (c.n[4] % 2 == 0 || pool_now.destroyed) return;
  State after = rules_;
  const bool by_rules = spec::release<V>(after, pool_id(p), {span.base, span.size}, listed, false, 0);
  const std::uint64_t floor = std::min(pool_now.threshold, pool_now.reserved);
  const bool in_pool = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == p; });
  const bool quiet = every_unit(twin_.newest, span, [&](std::size_t y) { return twin_.quiet(y); });
  const bool keeps = pool_now.reserved >= span.size && pool_now.reserved - span.size >= floor;
  if (by_rules && in_pool) {  // read before the call that gives back
    lines_.insert(lines_.end() - 1, reserved_line(p));
  }
  const auto reading =
      fmt::format("pool_get {} reserved_mem_current -> ok {}", pool(p), after.pools.reserved.get(pool_id(p)) * unit);
  if (!decide(by_rules, listed && in_pool && quiet && keeps, !listed || !keeps || live_or_held(span),
              !listed || !keeps ? "THRESHOLD" : "RELEASE-SAFE", fmt::format("{} gives back {} MiB", call, span.size),
              {reading}))
    return;
  rules_ = after;
  twin_.give_back(p, span.base, span.size);
}

void Player::answer_stream(std::size_t s, bool sync, const Choice& c) {
  State after = rules_;
  const bool complete = spec::prove_stream(after, stream_ids_[s]);
  const bool not_ready = spec::stream_not_ready(rules_, stream_ids_[s]);
  const bool idle = twin_.idle(s);
  const Items program = twin_.streams[s].program;
  if (!sync &&
      !decide(not_ready, !idle, Twin::within(program, twin_.program_proved), "ORDER-EXACT", stream(s) + " is not ready",
              {fmt::format("stream_query {} -> not_ready", stream(s))}) &&
      over_)
    return;
  const std::string call = fmt::format("stream_{} {}", sync ? "sync" : "query", stream(s));
  if (!decide(complete, idle, twin_.held(program), "ORDER-SOUND", call + " completes", {call + " -> ok"})) return;
  not_awaited(twin_.streams[s].runtime);
  spec::observe(after);
  rules_ = after;
  twin_.prove(program, twin_.streams[s].runtime);
  give_back_after(sync, c, call);
}

void Player::answer_event(std::size_t e, bool sync, const Choice& c) {
  State after = rules_;
  const bool complete = spec::prove_event(after, event_ids_[e]);
  const bool not_ready = spec::event_not_ready(rules_, event_ids_[e]);
  const bool ended = twin_.recorded_ended(e);
  const TwinEvent& event = twin_.events[e];
  if (!sync &&
      !decide(not_ready, !ended, Twin::within(event.program, twin_.program_proved), "ORDER-EXACT",
              fmt::format("e{} is not ready", e), {fmt::format("event_query e{} -> not_ready", e)}) &&
      over_)
    return;
  const std::string call = fmt::format("event_{} e{}", sync ? "sync" : "query", e);
  if (!decide(complete, ended, twin_.held(event.program), "ORDER-SOUND", call + " completes", {call + " -> ok"}))
    return;
  not_awaited(event.runtime);
  spec::observe(after);
  rules_ = after;
  twin_.prove(event.program, event.runtime);
  give_back_after(sync, c, call);
}

void Player::answer_device(const Choice& c) {
  State after = rules_;
  const bool complete = spec::prove_device(after);
  if (!decide(complete, twin_.all_idle(), twin_.held(twin_.all()), "ORDER-SOUND", "device_sync completes",
              {"device_sync -> ok"}))
    return;
  spec::observe(after);
  rules_ = after;
  twin_.prove(twin_.all(), twin_.all());
  give_back_after(true, c, "device_sync");
}

void Player::malloc(const Choice& c) {
  if (twin_.blocks.size() >= most_blocks) return;
  const std::size_t s = slot_stream_[c.n[0] % slots], p = c.n[1] % twin_.pools.size();
  const Span span = span_of(c);
  const auto x = block_id(twin_.blocks.size());
  const std::string call = fmt::format("malloc {} {}MiB {} {} -> ok {}", block(twin_.blocks.size()), span.size, pool(p),
                                       stream(s), address(span.base));
  // What the runtime makes the item wait for: nothing, or the frees of the range.
  Cut waits;
  Items waited = 0;
  if (c.n[4] % 2 == 1) {
    every_unit(twin_.newest, span, [&](std::size_t y) {
      if (y == nobody || !twin_.blocks[y].freed || twin_.blocks[y].synchronous) return true;
      const V::Stream t = rules_.allocations.free_stream.get(block_id(y));
      waits.put(t, std::max(waits.at(t), rules_.allocations.free_position.get(block_id(y))));
      waited |= Twin::one(twin_.blocks[y].free_item);
      return true;
    });
  }
  State grown = rules_;
  Twin next = twin_;
  bool grows = false;
  if (!every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == p; })) {
    const TwinPool& mine = twin_.pools[p];
    const bool by_rules = spec::reserve<V>(grown, pool_id(p), {span.base, span.size}, 2);
    const std::uint64_t cap = (mine.max_size + 1) / 2 * 2;
    const bool fits = cap == 0 || mine.reserved + span.size <= cap;
    const bool vacant =
        every_unit(twin_.newest, span, [&](std::size_t y) { return y == nobody || twin_.blocks[y].freed; });
    const bool unbacked = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == nobody; });
    const bool by_twin = !mine.destroyed && fits && vacant && unbacked;
    const auto reading =
        fmt::format("pool_get {} reserved_mem_current -> ok {}", pool(p), grown.pools.reserved.get(pool_id(p)) * unit);
    if (by_rules != by_twin || !by_rules) {
      const bool lawful = every_unit(twin_.newest, span, [&](std::size_t y) {
        return y == nobody || twin_.reuse(p, s, y, waited, false) == Twin::Reuse::lawful;
      });
      if (!lawful) return;  // the malloc would not follow
      decide(by_rules, by_twin, !fits || mine.destroyed || !vacant, !fits ? "ACCOUNTING" : "RELEASE-SAFE",
             fmt::format("{} grows by {} MiB", pool(p), span.size), {call, reading});
      over_ = over_ || by_rules != by_twin;
      return;
    }
    next.back(p, span.base, span.size);
    grows = true;
  }
  State after = grown;
  const bool by_rules =
      spec::malloc(after, stream_ids_[s], spec::Grant<V>{x, pool_id(p), {span.base, span.size}, waits});
  auto worst = Twin::Reuse::lawful, seen = Twin::Reuse::lawful;
  every_unit(next.newest, span, [&](std::size_t y) {
    if (y == nobody) return true;
    const auto machine = next.reuse(p, s, y, waited, false), observer = next.reuse(p, s, y, waited, true);
    if (worst == Twin::Reuse::lawful) worst = machine;
    if (seen == Twin::Reuse::lawful) seen = observer;
    return true;
  });
  const char* const theorem = worst == Twin::Reuse::live     ? "NO-OVERLAP"
                              : worst == Twin::Reuse::unsafe ? "REUSE-SAFE"
                              : next.pools[p].destroyed      ? "EXACT-STEP"
                                                             : "EXACT-OFF";
  const bool by_twin = !next.pools[p].destroyed && worst == Twin::Reuse::lawful;
  if (grows && !by_rules && !by_twin) return;
  if (!decide(by_rules, by_twin, next.pools[p].destroyed || seen != Twin::Reuse::lawful, theorem,
              fmt::format("{} gets {}", stream(s), address(span.base)), {call}))
    return;
  rules_ = after;
  next.take(p, s, span.base, span.size, waited);
  twin_ = next;
}

void Player::plain_malloc(const Choice& c) {
  if (twin_.blocks.size() >= most_blocks) return;
  const Span span = span_of(c);
  State after = rules_;
  const bool by_rules = spec::plain_malloc<V>(after, block_id(twin_.blocks.size()), {span.base, span.size});
  const auto lawful = [&](bool observer) {
    return every_unit(twin_.newest, span, [&](std::size_t y) {
      return y == nobody || twin_.plain_reuse(y, observer) == Twin::Reuse::lawful;
    });
  };
  const bool unbacked = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == nobody; });
  if (!decide(
          by_rules, unbacked && lawful(false), !lawful(true), lawful(false) ? "RELEASE-SAFE" : "REUSE-SAFE",
          "plain memory at " + address(span.base),
          {fmt::format("plain_malloc {} {}MiB -> ok {}", block(twin_.blocks.size()), span.size, address(span.base))}))
    return;
  rules_ = after;
  twin_.take_plain(span.base, span.size);
}

void Player::free(std::size_t s, std::size_t y) {
  State after = rules_;
  Twin next = twin_;
  const bool by_rules = spec::free(after, stream_ids_[s], block_id(y));
  State asked = after;
  asked.allocations.freed = rules_.allocations.freed;
  const bool owed = by_rules && spec::free_owed(asked, stream_ids_[s], block_id(y));
  next.submit(s);
  if (!decide(owed, next.may_free(s, y), true, "PROGRAM-SOUND", "a free of " + block(y),
              {fmt::format("free {} {} -> ok", block(y), stream(s))}))
    return;
  if (after.allocations.counted.get(block_id(y))) spec::stop_counting(after, block_id(y));
  rules_ = after;
  twin_.free(s, y);
}

void Player::free_sync(std::size_t y) {
  State after = rules_;
  const bool by_rules = spec::free_sync_owed(rules_, block_id(y)) && spec::free_sync(after, block_id(y));
  if (!decide(by_rules, twin_.may_free_now(y), true, "PROGRAM-SOUND", "a synchronous free of " + block(y),
              {fmt::format("free_sync {} -> ok", block(y))}))
    return;
  if (after.allocations.counted.get(block_id(y))) spec::stop_counting(after, block_id(y));
  rules_ = after;
  twin_.free_now(y);
}

void Player::trim(const Choice& c) {
  const std::size_t p = c.n[1] % twin_.pools.size();
  const TwinPool& mine = twin_.pools[p];
  if (mine.destroyed) return;
  const Span span = span_of(c);
  const std::uint64_t keep = c.n[4] % 3 * 2;
  State after = rules_;
  const bool by_rules = spec::trim<V>(after, pool_id(p), {span.base, span.size}, keep);
  const bool in_pool = every_unit(twin_.backed, span, [&](std::size_t owner) { return owner == p; });
  const bool quiet = every_unit(twin_.newest, span, [&](std::size_t y) { return twin_.quiet(y); });
  const bool keeps = mine.reserved >= span.size && mine.reserved - span.size >= std::min(keep, mine.reserved);
  const auto reading =
      fmt::format("pool_get {} reserved_mem_current -> ok {}", pool(p), after.pools.reserved.get(pool_id(p)) * unit);
  if (!decide(by_rules, in_pool && quiet && keeps, !keeps || live_or_held(span), keeps ? "RELEASE-SAFE" : "THRESHOLD",
              fmt::format("a trim to {} MiB gives back {} MiB", keep, span.size),
              {reserved_line(p), fmt::format("pool_trim {} {}MiB -> ok", pool(p), keep), reading}))
    return;
  rules_ = after;
  twin_.give_back(p, span.base, span.size);
}

void Player::create(std::uint64_t max_size) {
  const std::size_t p = twin_.pools.size();
  spec::create<V>(rules_.pools, pool_id(p), {true, true, true}, 0, max_size);
  twin_.pools.push_back({.max_size = max_size});
  line(fmt::format("pool_create {} max_size={}MiB", pool(p), max_size));
  const auto& on = flavour_.switches;
  if (on != twin_.pools[p].switches) {
    spec::set_allow_opportunistic<V>(rules_.pools, pool_id(p), on[1]);
    spec::set_allow_internal_dependencies<V>(rules_.pools, pool_id(p), on[2]);
    twin_.pools[p].switches = on;
    for (std::size_t i = 1; i < 3; ++i) line(fmt::format("pool_set {} {} {}", pool(p), switch_names[i], on[i] ? 1 : 0));
  }
  if (!flavour_.keeps_all) return;
  spec::set_release_threshold<V>(rules_.pools, pool_id(p), UINT64_MAX);
  twin_.pools[p].threshold = UINT64_MAX;
  line(fmt::format("pool_set {} release_threshold max", pool(p)));
}

void Player::recreate_stream(const Choice& c) {
  const std::size_t slot = 2 + c.n[0] % (slots - 2);
  const auto handle = V::Handle(slot + 1);
  const auto identity = V::Stream(1 + c.n[1] % (stream_ids_.size() + 1));
  auto names = stream_names_;
  spec::forget<V, V::Stream>(names, handle);
  const bool by_rules = spec::name<V, V::Stream>(names, handle, identity);
  const bool by_twin = std::ranges::find(stream_ids_, identity) == stream_ids_.end();
  if (!decide(by_rules, by_twin, false, "IDENTITY", "a stream is given an identity again",
              {fmt::format("stream_destroy {} -> ok", stream(slot_stream_[slot])),
               fmt::format("stream_create s{} nonblocking -> ok", twin_.streams.size())}))
    return;
  add_stream(slot, identity, false, false);
  stream_names_ = names;
}

void Player::recreate_event(const Choice& c) {
  const std::size_t slot = c.n[0] % event_slots;
  const auto handle = V::Handle(slot + 1);
  const auto identity = V::Event(1 + c.n[1] % (event_ids_.size() + 1));
  auto names = event_names_;
  spec::forget<V, V::Event>(names, handle);
  const bool by_rules = spec::name<V, V::Event>(names, handle, identity);
  const bool by_twin = std::ranges::find(event_ids_, identity) == event_ids_.end();
  if (!decide(by_rules, by_twin, false, "IDENTITY", "an event is given an identity again",
              {fmt::format("event_destroy e{} -> ok", slot_event_[slot])}))
    return;
  add_event(slot, identity);
  event_names_ = names;
}

void Player::set(const Choice& c) {
  const std::size_t p = c.n[1] % twin_.pools.size();
  TwinPool& mine = twin_.pools[p];
  if (mine.destroyed) return;
  auto& row = rules_.pools;
  const auto id = pool_id(p);
  switch (c.call) {
    case Do::set_switch: {
      const std::size_t which = c.n[2] % 3;
      const bool on = c.n[3] % 2 == 1;
      mine.switches[which] = on;
      if (which == 0) spec::set_follow_event_dependencies<V>(row, id, on);
      if (which == 1) spec::set_allow_opportunistic<V>(row, id, on);
      if (which == 2) spec::set_allow_internal_dependencies<V>(row, id, on);
      return line(fmt::format("pool_set {} {} {}", pool(p), switch_names[which], on ? 1 : 0));
    }
    case Do::set_threshold: {
      const std::uint64_t threshold = c.n[2] % 4 == 3 ? UINT64_MAX : c.n[2] % 4 * 2;
      mine.threshold = threshold;
      spec::set_release_threshold<V>(row, id, threshold);
      return line(fmt::format("pool_set {} release_threshold {}", pool(p), bytes(threshold, unit)));
    }
    case Do::reset_used:
      mine.used_high = mine.used;
      spec::reset_used_high<V>(row, id, true);
      return line(fmt::format("pool_set {} used_mem_high 0", pool(p)));
    default:
      mine.reserved_high = mine.reserved;
      spec::reset_reserved_high<V>(row, id, true);
      return line(fmt::format("pool_set {} reserved_mem_high 0", pool(p)));
  }
}

void Player::take(const Choice& c) {
  const std::size_t s = slot_stream_[c.n[0] % slots], e = slot_event_[c.n[1] % event_slots];
  const std::size_t y = twin_.blocks.empty() ? nobody : c.n[2] % twin_.blocks.size();
  const auto id = stream_ids_[s];
  switch (c.call) {
    case Do::launch:
      return submit_plain(s);
    case Do::fill:
      return y == nobody ? void() : fill(s, y);
    case Do::record:
      spec::record(rules_, event_ids_[e], id);
      twin_.record(e, s);
      return line(fmt::format("event_record e{} {}", e, stream(s)));
    case Do::wait:
      spec::wait(rules_, id, event_ids_[e]);
      twin_.wait(s, e);
      return line(fmt::format("stream_wait_event {} e{}", stream(s), e));
    case Do::hold:
      if (!twin_.gate_closed) return;
      spec::hold(rules_, id, V::Gate(1));
      twin_.hold(s);
      return line(fmt::format("gate_hold {} g", stream(s)));
    case Do::open:
      if (!twin_.gate_closed) return;
      spec::open(rules_.device, V::Gate(1));
      twin_.gate_closed = false;
      return line("gate_open g");
    case Do::begin:
      begin(s);
      return;
    case Do::end:
      end(s);
      return;
    case Do::query:
    case Do::sync:
      if (c.call == Do::sync) run_on();
      return over_ ? void() : answer_stream(s, c.call == Do::sync, c);
    case Do::event_query:
    case Do::event_sync:
      if (c.call == Do::event_sync) run_on();
      return over_ ? void() : answer_event(e, c.call == Do::event_sync, c);
    case Do::device_sync:
      run_on();
      return over_ ? void() : answer_device(c);
    case Do::malloc:
      return malloc(c);
    case Do::free:
      return y == nobody ? void() : free(s, y);
    case Do::free_sync:
      return y == nobody ? void() : free_sync(y);
    case Do::plain_malloc:
      return plain_malloc(c);
    case Do::trim:
      return trim(c);
    case Do::create_pool:
      return twin_.pools.size() < most_pools ? create(c.n[2] % 3 == 0 ? 0 : 2 + c.n[2] % 3) : void();
    case Do::destroy_pool: {
      const std::size_t p = c.n[1] % twin_.pools.size();
      auto pools = rules_.pools;
      const bool by_rules = spec::destroy<V>(pools, pool_id(p)), by_twin = !twin_.pools[p].destroyed;
      if (!decide(by_rules, by_twin, true, "EXACT-STEP", "a destroy of " + pool(p),
                  {fmt::format("pool_destroy {} -> ok", pool(p))}))
        return;
      rules_.pools = pools;
      twin_.pools[p].destroyed = true;
      return;
    }
    case Do::recreate_stream:
      return twin_.streams.size() < slots + 2 ? recreate_stream(c) : void();
    case Do::recreate_event:
      return twin_.events.size() < event_slots + 2 ? recreate_event(c) : void();
    default:
      return set(c);
  }
}

// Without any of its calls the run does not part the same way.
void shorten(Run& run, Parting& found, const Flavour& flavour) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = run.size(); i-- > 0;) {
      Run shorter = run;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      auto still = Player(flavour).play(shorter);
      if (!still || still->kind != found.kind || still->theorem != found.theorem) continue;
      run = std::move(shorter);
      found = std::move(*still);
      again = true;
    }
  }
}

}  // namespace

Verdict check_rules_exact(std::uint64_t runs, std::size_t length) {
  Verdict verdict;
  std::mt19937 random(20);
  std::optional<Parting> best;
  Run best_run;
  const Flavour* best_flavour = nullptr;
  for (; verdict.programs < runs; ++verdict.programs) {
    const Flavour& flavour = flavours[verdict.programs % std::size(flavours)];
    std::discrete_distribution<int> call(flavour.weights.begin(), flavour.weights.end());
    Run run(length);
    for (Choice& choice : run) {
      choice.call = static_cast<Do>(call(random));
      for (std::uint8_t& operand : choice.n) operand = static_cast<std::uint8_t>(random());
    }
    verdict.histories += length;
    auto found = Player(flavour).play(run);
    if (!found || (best && found->kind <= best->kind)) continue;
    best = std::move(found);
    best_run = std::move(run);
    best_flavour = &flavour;
    if (best->kind == Parting::Kind::seen) break;
  }
  if (best) {
    shorten(best_run, *best, *best_flavour);
    verdict.theorem = best->theorem;
    verdict.sentence = best->sentence;
    verdict.counterexample = best->history;
    verdict.visible = best->kind >= Parting::Kind::fault;
    verdict.vanished = best->kind == Parting::Kind::vanished;
  }
  return verdict;
}

}  // namespace streampool::model::explorer
