#include "codec/tree_builder.h"

#include <algorithm>
#include <utility>

namespace plimsoll::codec {
namespace {

/// Up to this size a new key is compared with each earlier one. Larger objects are sorted once when
/// they are closed, which stays fast for any choice of keys.
constexpr std::size_t kMembersComparedMax = 32;

}  // namespace

void TreeBuilder::CheckForRepeat(Frame& frame, std::string_view key) {
  if (frame.may_repeat) return;
  const std::size_t count = entries_.size() - frame.first;
  frame.may_repeat = count > kMembersComparedMax ||
                     std::any_of(entries_.begin() + frame.first, entries_.end(),
                                 [&](const Entry& entry) { return entry.key == key; });
}

Value TreeBuilder::Close() {
  if (frames_.back().may_repeat) DropRepeats();
  const Frame frame = frames_.back();
  const std::size_t count = entries_.size() - frame.first;
  Value container = frame.is_object ? document_.NewObject(count) : document_.NewArray(count);
  container.set_line(frame.line);
  for (std::size_t at = frame.first; at < entries_.size(); ++at) {
    if (frame.is_object) {
      document_.AppendMember(container, {entries_[at].key, entries_[at].value});
    } else {
      document_.Append(container, entries_[at].value);
    }
  }
  entries_.Shrink(frame.first);
  frames_.Shrink(frames_.size() - 1);
  return container;
}

void TreeBuilder::DropRepeats() {
  const std::uint32_t first = frames_.back().first;
  std::vector<Entry*> order;
  order.reserve(entries_.size() - first);
  for (std::size_t at = first; at < entries_.size(); ++at) order.push_back(&entries_[at]);
  std::ranges::sort(order, [](const Entry* a, const Entry* b) {
    return a->key == b->key ? a < b : a->key < b->key;
  });

  std::vector<bool> dropped(order.size());
  for (auto group = order.begin(); group != order.end();) {
    auto next = group + 1;
    for (; next != order.end() && (*next)->key == (*group)->key; ++next) {
      dropped[static_cast<std::size_t>(*next - &entries_[first])] = true;
    }
    ReportDuplicates({group, next});
    (*group)->value = (*(next - 1))->value;
    group = next;
  }

  std::size_t kept = first;
  for (std::size_t at = first; at < entries_.size(); ++at) {
    if (!dropped[at - first]) entries_[kept++] = entries_[at];
  }
  entries_.Shrink(kept);
}

void TreeBuilder::ReportDuplicates(std::span<Entry* const> same_key) {
  if (repeats_.size() == kDuplicatesMax) return;
  int written = 0;
  for (const Entry* entry : same_key) {
    if (entry->offset == kMerged || ++written < 2) continue;
    repeats_.push_back({{Path(entry->key), entry->value.line()}, entry->offset});
    return;
  }
}

std::string TreeBuilder::Path(std::string_view last_key) const {
  std::string path;
  const auto add_key = [&](std::string_view key) {
    if (!path.empty()) path += '.';
    path += key;
  };
  for (std::size_t at = 0; at + 1 < frames_.size(); ++at) {
    const std::size_t entry = frames_[at + 1].first - 1;
    if (frames_[at].is_object) {
      add_key(entries_[entry].key);
    } else {
      path += '[' + std::to_string(entry - frames_[at].first) + ']';
    }
  }
  add_key(last_key);
  return path;
}

void TreeBuilder::Finish() {
  std::ranges::sort(repeats_, {}, &Repeat::offset);
  for (Repeat& repeat : repeats_) {
    const auto& told = document_.duplicates();
    // If copies of a repeated object repeat the same key, report that key once.
    if (std::ranges::find(told, repeat.duplicate.path, &DuplicateKey::path) != told.end()) continue;
    document_.AddDuplicate(std::move(repeat.duplicate));
  }
  repeats_.clear();
}

}  // namespace plimsoll::codec
