#include "model/monitor/memory.hpp"

#include <algorithm>

namespace streampool::model {

const std::vector<Predecessor>& Memory::predecessors(std::uint64_t begin, std::uint64_t end) {
  found_.clear();
  ranges_.for_each(begin, end, [&](const auto& range, const BlockRef& ref) {
    found_.push_back({ref, range.begin, range.end});
  });
  return found_;
}

std::optional<BlockRef> Memory::at(std::uint64_t address) {
  if (address == UINT64_MAX) return std::nullopt;
  const auto& found = predecessors(address, address + 1);
  if (found.empty()) return std::nullopt;
  return found.front().block;
}

BlockRef Memory::store(Block block) {
  if (vacant_.empty()) {
    blocks_.push_back(std::move(block));
    return {static_cast<std::uint32_t>(blocks_.size() - 1), blocks_.back().generation};
  }
  const std::uint32_t slot = vacant_.back();
  vacant_.pop_back();
  block.generation = blocks_[slot].generation;
  blocks_[slot] = std::move(block);
  return {slot, blocks_[slot].generation};
}

void Memory::recycle(const BlockRef& ref) {
  Block& block = blocks_[ref.index];
  const std::uint32_t next = block.generation + 1;
  block = Block{};
  block.generation = next;
  vacant_.push_back(ref.index);
}

void write_content(Block& block, std::uint64_t begin, std::uint64_t end, std::optional<std::uint8_t> value,
                   const Item& item, const Cut& reach) {
  std::vector<Content> result;
  result.reserve(block.content.size() + 2);
  std::uint64_t done = begin;  // the part of [begin, end) below it is written
  const auto fresh = [&](std::uint64_t upto) {
    if (done < upto) result.push_back({done, upto, value, {item}});
    done = std::max(done, upto);
  };
  for (Content& old : block.content) {
    if (old.end <= begin || old.begin >= end) {
      if (old.begin >= end) fresh(end);
      result.push_back(std::move(old));
      continue;
    }
    if (old.begin < begin) result.push_back({old.begin, begin, old.value, old.writers});
    fresh(std::max(old.begin, begin));
    Content part{std::max(old.begin, begin), std::min(old.end, end), value, {item}};
    for (const Item& writer : old.writers) {
      if (reach.at(writer.stream) >= writer.position) continue;
      part.value.reset();  // either write may come last
      part.writers.push_back(writer);
    }
    done = part.end;
    result.push_back(std::move(part));
    if (old.end > end) result.push_back({end, old.end, old.value, std::move(old.writers)});
  }
  fresh(end);
  block.content = std::move(result);
}

ContentMatch compare_content(const Block& block, std::uint64_t begin, std::uint64_t end, std::uint8_t value,
                             const Cut& reach) {
  std::uint64_t known = 0;
  for (const Content& part : block.content) {
    if (part.end <= begin || part.begin >= end || !part.value) continue;
    const bool ordered = std::ranges::all_of(part.writers, [&](const Item& writer) {
      return spec::contains<Concrete>(reach, writer.stream, writer.position);
    });
    if (!ordered) continue;
    if (*part.value != value) return ContentMatch::must_differ;
    known += std::min(part.end, end) - std::max(part.begin, begin);
  }
  return known == end - begin ? ContentMatch::must_match : ContentMatch::unknown;
}

void note_use(Block& block, const Item& item) {
  for (Item& use : block.uses) {
    if (use.stream == item.stream) {
      use.position = item.position;
      return;
    }
  }
  block.uses.push_back(item);
}

std::optional<Item> unordered_use(const Block& block, const Cut& cut) {
  for (const Item& use : block.uses) {
    if (!spec::contains<Concrete>(cut, use.stream, use.position)) return use;
  }
  return std::nullopt;
}

}  // namespace streampool::model
