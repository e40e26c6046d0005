// Pools and their attributes.
#include <algorithm>
#include <cstring>

#include "model/machine/machine.hpp"
#include "model/machine/require.hpp"
#include "spec/rules/attributes.hpp"

namespace streampool::model::machine {

using history::Attribute;

namespace {

bool is_switch(std::int64_t attribute) { return attribute >= 1 && attribute <= 3; }
bool modelled(std::int64_t attribute) { return attribute >= 1 && attribute <= 8; }
std::size_t width_of(std::int64_t attribute) { return is_switch(attribute) ? 4 : 8; }

// The status that a profile asks for; one that leaves it open gets the plain answer.
Status refusal(const Parameter<StatusRule>& rule) {
  return rule.value.kind == StatusRule::Kind::exact ? rule.value.status : Status::invalid_value;
}

}  // namespace

Status Machine::pool_create(std::uint64_t max_size, Handle& pool) {
  const Pool p = pools_.create(pool);
  const SwitchDefaults& defaults = profile_.switch_defaults.value;
  require(spec::create<Values>(state_.pools, p,
                               {.follow_event_dependencies = defaults.follow_event_dependencies,
                                .allow_opportunistic = defaults.allow_opportunistic,
                                .allow_internal_dependencies = defaults.allow_internal_dependencies},
                               profile_.new_pool_threshold.value.count, max_size));
  made_pools_.push_back(p);
  return Status::ok;
}

Status Machine::pool_destroy(Handle pool) {
  const Pool p = pools_.find(pool);
  if (p == Pool{}) return Status::invalid_handle;
  if (pool == default_pool_) return refusal(profile_.default_pool_destroy);
  require(spec::destroy<Values>(state_.pools, p));
  if (pool == current_pool_) current_pool_ = default_pool_;
  pools_.forget(pool);
  empty_destroyed_pools();
  return Status::ok;
}

Status Machine::pool_set_current(Handle pool) {
  if (pools_.find(pool) == Pool{}) return Status::invalid_handle;
  current_pool_ = pool;
  return Status::ok;
}

Status Machine::attribute_get(Handle pool, std::int64_t attribute, void* value, std::size_t width) const {
  const Pool p = pools_.find(pool);
  if (p == Pool{}) return Status::invalid_handle;
  if (value == nullptr) return refusal(profile_.null_value);
  if (!modelled(attribute)) return refusal(profile_.unknown_attribute);
  if (width < width_of(attribute)) return Status::invalid_value;
  const spec::Pools<Values>& row = state_.pools;
  const auto read = [&]() -> std::uint64_t {
    switch (static_cast<Attribute>(attribute)) {
      case Attribute::reuse_follow_event_dependencies:
        return row.follow_event_dependencies.get(p);
      case Attribute::reuse_allow_opportunistic:
        return row.allow_opportunistic.get(p);
      case Attribute::reuse_allow_internal_dependencies:
        return row.allow_internal_dependencies.get(p);
      case Attribute::release_threshold:
        return row.release_threshold.get(p);
      case Attribute::reserved_mem_current:
        return row.reserved.get(p);
      case Attribute::reserved_mem_high:
        return row.reserved_high.get(p);
      case Attribute::used_mem_current:
        return row.used.get(p);
      case Attribute::used_mem_high:
        return row.used_high.get(p);
    }
    return 0;
  };
  const std::uint64_t number = read();
  if (is_switch(attribute)) {
    const auto narrow = static_cast<std::uint32_t>(number);
    std::memcpy(value, &narrow, sizeof narrow);
  } else {
    std::memcpy(value, &number, sizeof number);
  }
  return Status::ok;
}

Status Machine::attribute_set(Handle pool, std::int64_t attribute, const void* value, std::size_t width) {
  const Pool p = pools_.find(pool);
  if (p == Pool{}) return Status::invalid_handle;
  if (value == nullptr) return refusal(profile_.null_value);
  if (!modelled(attribute)) {
    return refusal(attribute >= 9 && attribute <= 14 ? profile_.read_only : profile_.unknown_attribute);
  }
  if (width < width_of(attribute)) return Status::invalid_value;
  std::uint64_t number = 0;
  if (is_switch(attribute)) {
    std::uint32_t narrow = 0;
    std::memcpy(&narrow, value, sizeof narrow);
    number = narrow;
  } else {
    std::memcpy(&number, value, sizeof number);
  }
  if (is_switch(attribute) && number > 1) {
    if (profile_.switch_other_values.value == SwitchOtherValues::invalid_value) return Status::invalid_value;
    number = profile_.switch_other_values.value == SwitchOtherValues::nonzero_is_one ? 1 : number & 1;
  }
  const bool takes_current = profile_.watermark_reset.value == WatermarkReset::current;
  spec::Pools<Values>& row = state_.pools;
  switch (static_cast<Attribute>(attribute)) {
    case Attribute::reuse_follow_event_dependencies:
      spec::set_follow_event_dependencies<Values>(row, p, number != 0);
      break;
    case Attribute::reuse_allow_opportunistic:
      spec::set_allow_opportunistic<Values>(row, p, number != 0);
      break;
    case Attribute::reuse_allow_internal_dependencies:
      spec::set_allow_internal_dependencies<Values>(row, p, number != 0);
      break;
    case Attribute::release_threshold: {
      const std::uint64_t max_size = row.max_size.get(p);
      const std::uint64_t size = max_size > 0 ? spec::capacity_of<Values>(max_size, max_size_unit_) : memory_;
      if (profile_.threshold_range.value == ThresholdRange::at_most_pool_size && number > size) {
        return Status::invalid_value;
      }
      spec::set_release_threshold<Values>(row, p, number);
      break;
    }
    case Attribute::reserved_mem_current:
    case Attribute::used_mem_current:
      return refusal(profile_.read_only);
    case Attribute::reserved_mem_high:
      if (number != 0) return refusal(profile_.nonzero_watermark);
      spec::reset_reserved_high<Values>(row, p, takes_current);
      break;
    case Attribute::used_mem_high:
      if (number != 0) return refusal(profile_.nonzero_watermark);
      spec::reset_used_high<Values>(row, p, takes_current);
      break;
  }
  return Status::ok;
}

}  // namespace streampool::model::machine
