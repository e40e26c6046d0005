// Pools and their settings (chapters LIFE and ATTR).
#include <algorithm>
#include <array>

#include "fmt/format.h"
#include "model/monitor/monitor.hpp"
#include "spec/rules/statistics.hpp"

namespace streampool::model {

using namespace spec::literals;
using history::Attribute;

namespace {

constexpr int number(Attribute attribute) { return static_cast<int>(attribute); }
constexpr bool modelled(Attribute attribute) { return number(attribute) >= 1 && number(attribute) <= 8; }
constexpr bool is_switch(Attribute attribute) { return number(attribute) >= 1 && number(attribute) <= 3; }
constexpr bool is_extended(Attribute attribute) { return number(attribute) >= 9 && number(attribute) <= 14; }
constexpr bool is_high(Attribute attribute) {
  return attribute == Attribute::reserved_mem_high || attribute == Attribute::used_mem_high;
}
constexpr std::uint64_t width_of(Attribute attribute) { return is_switch(attribute) ? 4 : 8; }

// The number a set hands over; nothing for fewer raw bytes than the attribute is wide.
std::optional<std::uint64_t> value_of(const history::AttributeValue& value, std::uint64_t width) {
  if (value.kind != history::AttributeValue::Kind::raw) return value.integer;
  if (value.raw.size() < width) return std::nullopt;
  std::uint64_t number = 0;
  for (std::size_t i = width; i-- > 0;) number = number << 8 | value.raw[i];
  return number;
}

}  // namespace

void Monitor::create_pool(const Context& c) {
  require_ok("LIFE-CREATE-STATUS"_clause, c, true);
  if (!c.ok()) return;
  Pool pool;
  pool.name = c.call.pool;
  pool.device = device_of(c.call);
  if (const std::uint64_t max_size = c.call.size.value_or(0); max_size > 0) {
    pool.max_size = max_size;
    const auto& unit = profile_.max_size_unit;
    if (unit.binds()) pool.capacity = spec::capacity_of<Concrete>(max_size, unit.value.unit(environment_.granule));
  }
  if (profile_.switch_defaults.binds()) {
    const SwitchDefaults& defaults = profile_.switch_defaults.value;
    pool.attributes[1].value = defaults.follow_event_dependencies;
    pool.attributes[2].value = defaults.allow_opportunistic;
    pool.attributes[3].value = defaults.allow_internal_dependencies;
  }
  if (profile_.new_pool_threshold.binds()) pool.attributes[4].value = profile_.new_pool_threshold.value.count;
  pool.base = Bounds{0, 0, {}, {}};
  pool.used_high = {0, 0, "STAT-USED-HIGH"_clause, "STAT-USED-HIGH"_clause};
  pool.reserved = {0, no_bound, "STAT-RESERVED-FALL"_clause, "STAT-RESERVED-RISE"_clause};
  if (profile_.new_pool_reserved.binds()) pool.reserved.exact(profile_.new_pool_reserved.value.count);
  pool.reserved_high = {pool.reserved.low, pool.reserved.high, "STAT-RESERVED-HIGH"_clause,
                        "STAT-RESERVED-HIGH"_clause};
  pools_.push_back(std::move(pool));
  define(c.call.pool, Entity::Kind::pool, static_cast<std::uint32_t>(pools_.size() - 1), c);
}

const Pool* Monitor::pool_before(const Pool& pool) const {
  const Entity* older = destroyed_before(pool.name);
  return older != nullptr ? &pools_[older->index] : nullptr;
}

Pool& Monitor::default_pool_of(std::uint32_t device) {
  for (const auto& [known, index] : default_pools_) {
    if (known == device) return pools_[index];
  }
  Pool pool;
  pool.device = device;
  pool.own = false;
  pool.is_default = true;
  pool.used_high = {0, no_bound, "STAT-USED-HIGH"_clause, "STAT-USED-HIGH"_clause};
  pool.reserved = {0, no_bound, "STAT-RESERVED-FALL"_clause, "STAT-RESERVED-RISE"_clause};
  pool.reserved_high = {0, no_bound, "STAT-RESERVED-HIGH"_clause, "STAT-RESERVED-HIGH"_clause};
  pools_.push_back(std::move(pool));
  default_pools_.emplace_back(device, static_cast<std::uint32_t>(pools_.size() - 1));
  return pools_.back();
}

void Monitor::default_pool(const Context& c) {
  if (!c.ok() && profile_.has_default_pool.binds() && !profile_.has_default_pool.value) return;
  require_ok("LIFE-DEFAULT-POOL"_clause, c);
  if (!c.ok()) return;
  Pool& pool = default_pool_of(device_of(c.call));
  const auto index = static_cast<std::uint32_t>(&pool - pools_.data());
  const Entity* before = entity(pool.name);
  const auto known = before != nullptr ? before->handle : std::nullopt;
  if (known && c.result != nullptr && c.result->handle) {
    verdicts_.check("LIFE-DEFAULT-POOL"_clause, *known == *c.result->handle, [&] {
      return fmt::format("The default pool was {:#x} and is {:#x} now.", *known, *c.result->handle);
    });
  }
  if (pool.name == Name::none) pool.name = c.call.pool;
  define(c.call.pool, Entity::Kind::pool, index, c);
}

void Monitor::destroy_pool(const Context& c) {
  Entity& handle = entities_[static_cast<std::size_t>(c.call.pool)];
  Pool& pool = pools_[handle.index];
  if (pool.is_default) {
    if (!c.ok()) ++pool.activity.refusals;
    return misuse(profile_.default_pool_destroy, "LIFE-DEFAULT-POOL-DESTROY"_clause, c,
                  fmt::format("{} is the default pool", text(c.call.pool)));
  }
  const bool in_use = pool.live_ranges > 0 || pool.unproved_frees > 0;
  const Parameter<DestroyWithLive>& with_live = profile_.destroy_with_live;
  if (in_use && with_live.binds() && with_live.value == DestroyWithLive::refused) {
    verdicts_.check("LIFE-POOL-DESTROY-LIVE"_clause, !c.ok(), [&] {
      return fmt::format("{} has live allocations or unproved frees; profile {} refuses its destruction.",
                         text(c.call.pool), profile_.name);
    });
  } else if (!with_live.binds() && in_use && c.ok()) {
    verdicts_.fault(
        "PROGRAM-MISUSE"_clause,
        fmt::format("{} has live allocations or unproved frees; profile {} does not say what becomes of them.",
                    text(c.call.pool), profile_.name));
    return;
  } else if (!in_use || with_live.binds()) {
    require_ok(in_use ? "LIFE-POOL-DESTROY-LIVE"_clause : "LIFE-POOL-DESTROY"_clause, c);
  }
  if (!c.ok()) {
    ++pool.activity.refusals;
    return;
  }
  forget_handle(handle);
  pool.alive = false;
  // It serves nobody any more: what it keeps is what still lives in it, sooner or later.
  pool.reserved.low = 0;
  memory_moved();
  if (std::erase_if(current_pools_, [&](const auto& entry) { return entry.second == handle.index; }) > 0) {
    current_destroyed_.push_back(pool.device);
  }
  if (in_use && with_live.value == DestroyWithLive::immediate) {
    memory_.for_each_live([&](const BlockRef& ref, const Block& block) {
      if (block.pool == static_cast<PoolId>(handle.index)) retire(ref, std::nullopt);
    });
  }
  if (!in_use || (with_live.binds() && with_live.value == DestroyWithLive::immediate)) end_pool(pools_[handle.index]);
}

void Monitor::set_current(const Context& c) {
  require_ok("LIFE-CURRENT-SET"_clause, c);
  if (!c.ok()) return;
  const std::uint32_t device = device_of(c.call);
  std::erase_if(current_pools_, [&](const auto& entry) { return entry.first == device; });
  std::erase(current_destroyed_, device);
  current_pools_.emplace_back(device, entities_[static_cast<std::size_t>(c.call.pool)].index);
}

void Monitor::get_current(const Context& c) {
  require_ok("LIFE-CURRENT-SET"_clause, c);
  if (!c.ok() || c.result == nullptr || !c.result->handle) return;
  std::optional<std::uint32_t> index;
  bool was_set = false;
  for (const auto& entry : current_pools_) {
    if (entry.first == device_of(c.call)) index = entry.second, was_set = true;
  }
  for (const auto& entry : default_pools_) {
    if (entry.first == device_of(c.call) && !index) index = entry.second;
  }
  if (!index) return;
  const Entity* known = entity(pools_[*index].name);
  if (known == nullptr || !known->handle) return;
  const bool destroyed = std::ranges::count(current_destroyed_, device_of(c.call)) > 0;
  const auto answered = live_handles_.find(std::pair{static_cast<std::uint8_t>(Entity::Kind::pool), *c.result->handle});
  const bool inherited =
      !was_set && destroyed && answered != live_handles_.end() && destroyed_before(answered->second) != nullptr;
  verdicts_.check(
      was_set     ? "LIFE-CURRENT-SET"_clause
      : destroyed ? "LIFE-CURRENT-DESTROYED"_clause
                  : "LIFE-CURRENT-INITIAL"_clause,
      *known->handle == *c.result->handle,
      [&] {
        return fmt::format("The current pool should be {} ({:#x}), the runtime answered {:#x}.",
                           text(pools_[*index].name), *known->handle, *c.result->handle);
      },
      inherited ? Verdicts::Also("LIFE-RECYCLED-POOL"_clause) : std::nullopt);
}

void Monitor::set_attribute(const Context& c) {
  Pool& pool = pools_[entities_[static_cast<std::size_t>(c.call.pool)].index];
  const Attribute id = c.call.attribute;
  const int n = number(id);
  if (c.ok()) {
    ++sets_;
  } else {
    if (modelled(id)) ++pool.activity.refused_sets[static_cast<std::size_t>(n)];
    ++pool.activity.refusals;
    for (Known& known : pool.attributes) known.refused_set = true;
  }
  if (c.call.value.kind == history::AttributeValue::Kind::null) {
    return misuse(profile_.null_value, "ATTR-NULL-VALUE"_clause, c, "pool_set from a null value");
  }
  if (is_extended(id)) {
    return misuse(profile_.read_only, "ATTR-EXTENDED"_clause, c, fmt::format("attribute {} is read only", n));
  }
  if (!modelled(id)) {
    return misuse(profile_.unknown_attribute, "ATTR-UNKNOWN"_clause, c,
                  fmt::format("attribute {} does not exist", static_cast<std::int64_t>(id)));
  }
  const auto value = value_of(c.call.value, width_of(id));
  if (!value) {  // too few bytes: an interface that takes no width cannot tell
    if (c.ok() && n <= 4) pool.attributes[static_cast<std::size_t>(n)] = {};
    return;
  }
  if (id == Attribute::reserved_mem_current || id == Attribute::used_mem_current) {
    return misuse(profile_.read_only, attribute_clause("ATTR-READ-ONLY"_family, n), c,
                  fmt::format("{} is read only", to_text(id)));
  }
  if (is_high(id)) {
    if (*value != 0) {
      return misuse(profile_.nonzero_watermark, attribute_clause("ATTR-RESET-NONZERO"_family, n), c,
                    fmt::format("{} may only be set to 0", to_text(id)));
    }
    require_ok("ATTR-STATUS"_clause, c);
    if (c.ok()) reset_watermark(pool, id);
    return;
  }
  Known& known = pool.attributes[static_cast<std::size_t>(n)];
  std::optional<std::uint64_t> stored = value;
  if (is_switch(id) && *value > 1) {
    const spec::ClauseId clause = attribute_clause("ATTR-OTHER-VALUE"_family, n);
    const auto& rule = profile_.switch_other_values;
    if (!rule.binds()) {
      stored.reset();
    } else if (rule.value == SwitchOtherValues::invalid_value) {
      verdicts_.check(clause, c.status == Status::invalid_value, [&] {
        return fmt::format("Setting {} to {} must answer invalid_value under profile {}; it answered {}.", to_text(id),
                           *value, profile_.name, to_text(c.status));
      });
      return;
    } else {
      verdicts_.check(clause, c.ok(), [&] {
        return fmt::format("Setting {} to {} succeeds under profile {}; it answered {}.", to_text(id), *value,
                           profile_.name, to_text(c.status));
      });
      stored = rule.value == SwitchOtherValues::nonzero_is_one ? 1 : *value & 1;
    }
  } else if (id == Attribute::release_threshold) {
    const std::uint64_t size = pool.max_size ? pool.smallest_capacity() : environment_.memory;
    const auto& range = profile_.threshold_range;
    const bool outside = *value > size && (!range.binds() || range.value == ThresholdRange::at_most_pool_size);
    if (!outside) {
      require_ok("ATTR-STATUS"_clause, c);
    } else if (range.binds() && size > 0) {
      verdicts_.check("ATTR-THRESHOLD-RANGE"_clause, !c.ok(), [&] {
        return fmt::format("release_threshold {} is above the pool's size {}; profile {} refuses that.", *value, size,
                           profile_.name);
      });
    }
  } else {
    require_ok("ATTR-STATUS"_clause, c);
  }
  if (c.ok() && is_switch(id) && stored == 1U) verdicts_.count("ATTR-MONOTONE"_clause);
  if (c.ok()) known = {stored, Known::Origin::set, false};
}

void Monitor::get_attribute(const Context& c) {
  Pool& pool = pools_[entities_[static_cast<std::size_t>(c.call.pool)].index];
  const Attribute id = c.call.attribute;
  const int n = number(id);
  if (is_extended(id)) return;
  if (!modelled(id)) {
    return misuse(profile_.unknown_attribute, "ATTR-UNKNOWN"_clause, c,
                  fmt::format("attribute {} does not exist", static_cast<std::int64_t>(id)));
  }
  const std::uint64_t width = width_of(id);
  if (c.call.width && *c.call.width < width && !c.ok()) return;
  require_ok("ATTR-STATUS"_clause, c);
  if (!c.ok() || c.result == nullptr) return;
  if (c.result->wrote || c.result->unwritten) {
    const std::uint64_t wrote = c.result->unwritten ? 0 : *c.result->wrote;
    verdicts_.check(attribute_clause("ATTR-WIDTH"_family, n), wrote == width, [&] {
      return fmt::format("Reading {} wrote {} bytes; its width is {}.", to_text(id), wrote, width);
    });
  }
  if (!c.result->value) return;
  if (n <= 4) {
    read_setting(pool, n, *c.result->value);
  } else {
    read_statistic(pool, id, *c.result->value);
  }
}

void Monitor::read_setting(Pool& pool, int attribute, std::uint64_t value) {
  Known& known = pool.attributes[static_cast<std::size_t>(attribute)];
  if (known.value) {
    struct Why {
      spec::ClauseFamily family;
      std::string_view text;
    };
    static constexpr std::array<Why, 4> reasons{{{"ATTR-DEFAULT"_family, "is its default"},
                                                 {"ATTR-READBACK"_family, "was set last"},
                                                 {"ATTR-FRAME"_family, "was read before, and nothing has set it since"},
                                                 {"ATTR-FAILED-SET"_family, "was there before a set that failed"}}};
    const Why& why = known.refused_set ? reasons[3] : reasons[static_cast<std::size_t>(known.origin)];
    Verdicts::Also also;
    if (value != *known.value && known.origin == Known::Origin::by_default) {
      const Pool* older = pool_before(pool);
      if (older != nullptr && older->attribute(static_cast<Attribute>(attribute)) == value) {
        also = "LIFE-RECYCLED-POOL"_clause;
      }
    }
    verdicts_.check(
        attribute_clause(why.family, attribute), value == *known.value,
        [&] {
          return fmt::format("{} reads {}; {} {}.", to_text(static_cast<Attribute>(attribute)), value, *known.value,
                             why.text);
        },
        also);
  }
  known = {value, Known::Origin::read, false};
}

}  // namespace streampool::model
