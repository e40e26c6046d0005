#include "model/monitor/pools.hpp"

#include <algorithm>

namespace streampool::model {

void TouchedGranules::change(std::uint64_t begin, std::uint64_t end, std::uint64_t granule, int by) {
  const std::uint64_t first = begin / granule, last = (end - 1) / granule;
  const auto border = [&](std::uint64_t g) {
    if (by > 0) {
      ++border_[g];
    } else if (const auto it = border_.find(g); it != border_.end() && --it->second == 0) {
      border_.erase(it);
    }
  };
  border(first);
  if (last == first) return;
  border(last);
  // Granules strictly between the borders belong to this allocation alone.
  inner_ = by > 0 ? inner_ + (last - first - 1) : inner_ - (last - first - 1);
}

bool Pool::released(std::uint64_t free_epoch, const Item& free) const {
  return std::any_of(points.rbegin(), points.rend(), [&](const ReleasePoint& point) {
    if (point.epoch <= free_epoch) return false;
    return std::ranges::none_of(
        point.held, [&](const Item& first) { return first.stream == free.stream && free.position >= first.position; });
  });
}

bool Pool::points_since(std::uint64_t free_epoch) const { return !points.empty() && points.back().epoch > free_epoch; }

void Pool::add_release_point(const Timeline& timeline) {
  ++epoch;
  // With the same gates closed the newer point explains all that the older one did.
  if (!points.empty() && points.back().hold_revision == timeline.hold_revision() &&
      points.back().epoch > reading_epoch) {
    points.back().epoch = epoch;
    return;
  }
  ReleasePoint point{epoch, timeline.hold_revision(), {}};
  if (timeline.any_hold()) {
    for (std::size_t i = 0; i < timeline.stream_count(); ++i) {
      const auto s = static_cast<Stream>(i);
      if (timeline.held_from(s) != no_position) point.held.push_back({s, timeline.held_from(s)});
    }
  }
  points.push_back(std::move(point));
}

void Pool::settle_release_points(std::uint64_t value) {
  if (reading_holds && reading == value) {
    std::erase_if(points, [&](const ReleasePoint& point) { return point.epoch > reading_epoch; });
  } else if (points_since(reading_epoch)) {
    met = 0;
  }
  // Settled points before one that no gate narrowed explain nothing more.
  for (std::size_t i = points.size(); i-- > 0;) {
    if (!points[i].held.empty()) continue;
    points.erase(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i));
    break;
  }
  reading = value;
  reading_epoch = epoch;
  reading_holds = true;
  granted_since_reading = 0;
}

}  // namespace streampool::model
