// A profile: the answers of one vendor's version, or of one claim about it, where the specification leaves a choice.
//
// Every field is a parameter of the specification (spec/clauses name them); what each means is said in parameters.hpp.
// A value that is not stated holds the most permissive answer, so that a judge may use it without asking. Immutable
// once loaded; share it freely.
#pragma once

#include <string>

#include "model/profile/values.hpp"

namespace streampool::model {

// One parameter a line, in the order in which profiles are written.
struct Parameters {
  // Attributes
  Parameter<SwitchDefaults> switch_defaults;
  Parameter<SwitchOtherValues> switch_other_values;
  Parameter<bool> switch_on_monotone;
  Parameter<Bytes> new_pool_threshold;
  Parameter<Bytes> new_pool_reserved;
  Parameter<ThresholdRange> threshold_range;
  Parameter<WatermarkReset> watermark_reset;
  // Sizes and counting
  Parameter<Bytes> alignment{.value = {1}};
  Parameter<Granted> granted;
  Parameter<Granule> reserve_granule;
  Parameter<Granule> max_size_unit;
  Parameter<UsedDropsAt> used_drops_at;
  // Release
  Parameter<ThresholdCompares> threshold_compares;
  Parameter<Set<ReleaseCall>> release_calls{
      .value = {ReleaseCall::stream_sync, ReleaseCall::event_sync, ReleaseCall::device_sync, ReleaseCall::free}};
  Parameter<bool> free_keeps_threshold;
  Parameter<Slack> release_slack{.value = {Slack::Kind::block, 0}};
  Parameter<ReleaseRest> release_rest;
  Parameter<ThresholdCompares> trim_compares;
  Parameter<TrimRefusal> trim_refusal;
  Parameter<PressureRelease> pressure_release{.value = PressureRelease::any};
  // Reuse and waiting
  Parameter<Set<ObservingCall>> observing_calls{.value = {ObservingCall::sync, ObservingCall::query}};
  Parameter<bool> sync_free_waits;
  Parameter<bool> stream_destroy_waits{.value = true};
  Parameter<bool> malloc_may_wait{.value = true};
  // Life cycle
  Parameter<bool> has_default_pool;
  Parameter<bool> has_default_streams;
  Parameter<DestroyWithLive> destroy_with_live;
  // Capacity
  Parameter<Fragmentation> fragmentation{.value = Fragmentation::not_promised};
  Parameter<StatusRule> out_of_memory{.value = {StatusRule::Kind::any_error}};
  Parameter<Output> failed_output{.value = Output::either};
  // Corner cases and misuse
  Parameter<StatusRule> size_zero;
  Parameter<Output> size_zero_output{.value = Output::either};
  Parameter<StatusRule> free_null;
  Parameter<StatusRule> async_free_of_plain;
  Parameter<StatusRule> sync_free_of_plain;
  Parameter<StatusRule> plain_free_of_pool;
  Parameter<StatusRule> double_free;
  Parameter<StatusRule> double_free_proved;
  Parameter<StatusRule> interior_pointer;
  Parameter<StatusRule> foreign_pointer;
  Parameter<StatusRule> dead_handle;
  Parameter<StatusRule> default_pool_destroy;
  Parameter<StatusRule> unknown_attribute;
  Parameter<StatusRule> null_value;
  Parameter<StatusRule> read_only;
  Parameter<StatusRule> nonzero_watermark;

  bool operator==(const Parameters&) const = default;
};

struct Profile : Parameters {
  std::string name;
  std::string about;  // one sentence: which vendor, version and claim
  std::string hash;   // SHA-256 of the file's text, 64 lower-case hex digits
};

}  // namespace streampool::model
