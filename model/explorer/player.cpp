#include "model/explorer/player.hpp"

#include "spec/rules/attributes.hpp"
#include "spec/rules/pool.hpp"

namespace streampool::model::explorer {

namespace {

constexpr const char* switch_names[] = {"reuse_follow_event_dependencies", "reuse_allow_opportunistic",
                                        "reuse_allow_internal_dependencies"};

}  // namespace

Player::Player(const Beginning& beginning) : beginning_(beginning) {
  for (std::size_t s = 0; s < slots; ++s) {
    add_stream(s, V::Stream(s + 1), s == 0, s == 1);
    if (s > 0) line(fmt::format("stream_create s{} {}", s, s == 1 ? "blocking" : "nonblocking"));
  }
  for (std::size_t e = 0; e < event_slots; ++e) add_event(e, V::Event(e + 1));
  spec::make_gate(rules_.device, V::Gate(1));
  line("gate_create g");
  create(0);
}

std::optional<Parting> Player::play(const Run& run) {
  for (const Choice& choice : run) {
    if (twin_.waits.size() + 2 > most_items) break;
    take(choice);
    if (!over_) read_all();
    if (over_) break;
  }
  if (parting_) parting_->history = text();
  return parting_;
}

std::string Player::text() const {
  std::string all = fmt::format("streampool-history 1\n# {}\nprofile strict\n", parting_->sentence);
  for (const std::string& one : lines_) all += one + "\n";
  return all;
}

// Comparison
// --------------------------------------------------------------------------------------------------------------------

bool Player::decide(bool by_rules, bool by_twin, bool visible, const char* theorem, const std::string& what,
                    const std::vector<std::string>& lines) {
  using enum Parting::Kind;
  if (!by_rules && (!by_twin || parting_)) return false;  // they have parted before, unseen: it shows nothing new
  lines_.insert(lines_.end(), lines.begin(), lines.end());
  if (by_rules && by_twin) return true;
  if (!by_rules) {
    part({"PERMITTED", fmt::format("A permitted outcome has vanished: {}", what), {}, vanished});
    return false;
  }
  const auto shown = std::string_view(theorem) == "PROGRAM-SOUND" ? fault : seen;
  part({theorem, fmt::format("The rules permit what they must not: {}", what), {}, visible ? shown : unseen});
  return true;
}

void Player::part(Parting parting) {
  over_ = parting.kind != Parting::Kind::unseen;
  if (over_ || !parting_) parting_ = std::move(parting);
}

void Player::read_all() {
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

void Player::compare(std::size_t p, const char* attribute, std::uint64_t by_rules, std::uint64_t by_twin,
                     std::uint64_t scale, const char* theorem) {
  if (by_rules == by_twin || over_) return;
  const auto bytes = [&](std::uint64_t value) {
    return value == UINT64_MAX && scale == unit ? "max" : std::to_string(value * scale);
  };
  lines_.push_back(fmt::format("pool_get {} {} -> ok {}", pool(p), attribute, bytes(by_rules)));
  part(
      {theorem,
       fmt::format("{} of {} is {} by the rules, {} by the twin.", attribute, pool(p), bytes(by_rules), bytes(by_twin)),
       {},
       Parting::Kind::seen});
}

std::string Player::reading(std::size_t p, const State& state) {
  return fmt::format("pool_get {} reserved_mem_current -> ok {}", pool(p), state.pools.reserved.get(pool_id(p)) * unit);
}

// Pools
// --------------------------------------------------------------------------------------------------------------------

void Player::create(std::uint64_t max_size) {
  const std::size_t p = twin_.pools.size();
  spec::create<V>(rules_.pools, pool_id(p), {true, true, true}, 0, max_size);
  twin_.pools.push_back({.max_size = max_size});
  line(fmt::format("pool_create {} max_size={}MiB", pool(p), max_size));
  const auto& on = beginning_.switches;
  if (on != twin_.pools[p].switches) {
    spec::set_follow_event_dependencies<V>(rules_.pools, pool_id(p), on[0]);
    spec::set_allow_opportunistic<V>(rules_.pools, pool_id(p), on[1]);
    spec::set_allow_internal_dependencies<V>(rules_.pools, pool_id(p), on[2]);
    twin_.pools[p].switches = on;
    for (std::size_t i = 0; i < 3; ++i) line(fmt::format("pool_set {} {} {}", pool(p), switch_names[i], on[i] ? 1 : 0));
  }
  if (!beginning_.keeps_all) return;
  spec::set_release_threshold<V>(rules_.pools, pool_id(p), UINT64_MAX);
  twin_.pools[p].threshold = UINT64_MAX;
  line(fmt::format("pool_set {} release_threshold max", pool(p)));
}

void Player::destroy(std::size_t p) {
  auto pools = rules_.pools;
  const bool by_rules = spec::destroy<V>(pools, pool_id(p)), by_twin = !twin_.pools[p].destroyed;
  if (!decide(by_rules, by_twin, true, "EXACT-STEP", "a destroy of " + pool(p),
              {fmt::format("pool_destroy {} -> ok", pool(p))}))
    return;
  rules_.pools = pools;
  twin_.pools[p].destroyed = true;
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
      return line(fmt::format("pool_set {} release_threshold {}", pool(p),
                              threshold == UINT64_MAX ? "max" : std::to_string(threshold * unit)));
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

// Calls
// --------------------------------------------------------------------------------------------------------------------

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
    case Do::destroy_pool:
      return destroy(c.n[1] % twin_.pools.size());
    case Do::recreate_stream:
      return twin_.streams.size() < slots + 4 ? recreate_stream(c) : void();
    case Do::recreate_event:
      return twin_.events.size() < event_slots + 4 ? recreate_event(c) : void();
    default:
      return set(c);
  }
}

}  // namespace streampool::model::explorer
