// What one stream knows of the others: for each a position up to which it is ordered after. Sparse: streams that it
// knows nothing of cost nothing, so a join costs what the two clocks hold and not what streams were ever made.
#pragma once

#include <algorithm>
#include <vector>

#include "impl/pool/units.hpp"

namespace streampool::engine {

class Clock {
 public:
  Clock() = default;
  explicit Clock(Point point) : entries_{point} {}

  [[nodiscard]] Position at(StreamIndex stream) const {
    const auto it = find(stream);
    return it != entries_.end() && it->stream == stream ? it->at : Position::none;
  }

  // From now on ordered after `point` too.
  void raise(Point point) {
    const auto it = find(point.stream);
    if (it != entries_.end() && it->stream == point.stream) {
      it->at = std::max(it->at, point.at);
    } else {
      entries_.insert(it, point);
    }
  }

  // The pointwise maximum, without what `other` says of `except`. Raises in place; moves entries only for streams that
  // were not known before.
  void join(const Clock& other, StreamIndex except = StreamIndex::settled) {
    std::size_t missing = 0;
    auto mine = entries_.begin();
    for (const Point& theirs : other.entries_) {
      if (theirs.stream == except) continue;
      while (mine != entries_.end() && mine->stream < theirs.stream) ++mine;
      if (mine != entries_.end() && mine->stream == theirs.stream) {
        mine->at = std::max(mine->at, theirs.at);
      } else {
        ++missing;
      }
    }
    if (missing != 0) insert_missing(other, missing, except);
  }

  // Forgets the entries that `useless(point)` is true for.
  template <class Useless>
  void prune(Useless useless) {
    std::erase_if(entries_, useless);
  }
  // The same, and copies the others to `copy`, with `more` among them.
  template <class Useless>
  void prune_into(Clock& copy, Point more, Useless useless) {
    copy.entries_.resize(entries_.size() + 1);
    Point* to = copy.entries_.data();
    std::size_t kept = 0;
    bool before = true;
    for (const Point& point : entries_) {
      if (useless(point)) continue;
      if (before && point.stream > more.stream) {
        *to++ = more;
        before = false;
      }
      *to++ = entries_[kept++] = point;
    }
    if (before) *to++ = more;
    entries_.resize(kept);
    copy.entries_.resize(kept + 1);
  }

  void clear() { entries_.clear(); }
  [[nodiscard]] const std::vector<Point>& entries() const { return entries_; }  // by stream, ascending
  bool operator==(const Clock&) const = default;

 private:
  using Iterator = std::vector<Point>::iterator;
  static bool before(const Point& p, StreamIndex s) { return p.stream < s; }
  Iterator find(StreamIndex s) { return std::lower_bound(entries_.begin(), entries_.end(), s, before); }
  [[nodiscard]] std::vector<Point>::const_iterator find(StreamIndex s) const {
    return std::lower_bound(entries_.begin(), entries_.end(), s, before);
  }

  // Merges from the back, so that one pass and no second vector are needed.
  void insert_missing(const Clock& other, std::size_t missing, StreamIndex except) {
    std::size_t mine = entries_.size();
    std::size_t theirs = other.entries_.size();
    entries_.resize(mine + missing);
    for (std::size_t to = entries_.size(); theirs > 0;) {
      const Point& candidate = other.entries_[theirs - 1];
      if (candidate.stream == except) {
        --theirs;
      } else if (mine > 0 && entries_[mine - 1].stream >= candidate.stream) {
        if (entries_[mine - 1].stream == candidate.stream) --theirs;
        entries_[--to] = entries_[--mine];
      } else {
        entries_[--to] = candidate;
        --theirs;
      }
    }
  }

  std::vector<Point> entries_;
};

}  // namespace streampool::engine
