#include "scheduler/cluster/image_table.h"

#include <algorithm>

#include "match/index/id_list.h"

namespace plimsoll::scheduler {

using match::AsIds;
using match::AsText;

bool ImageTable::Set(match::NodeSlot slot, const std::vector<api::NodeImage>& images) {
  if (slot >= list_of_.size()) list_of_.resize(slot + 1, Interner::kNone);
  if (images.empty() && list_of_[slot] == Interner::kNone) return false;
  scratch_.clear();
  for (const api::NodeImage& image : images) {
    for (const std::string_view name : image.names) {
      const NameId id = names_.Acquire(name).id;
      if (id >= images_.size()) images_.resize(id + 1);
      if (images_[id].size_bytes != image.size_bytes) {
        images_[id].size_bytes = image.size_bytes;
        ++version_;
      }
      scratch_.push_back(id);
    }
  }
  std::ranges::sort(scratch_);
  // Keep one reference to a name that is listed twice.
  for (std::size_t i = 1; i < scratch_.size(); ++i) {
    if (scratch_[i] == scratch_[i - 1]) names_.Release(scratch_[i]);
  }
  scratch_.erase(std::ranges::unique(scratch_).begin(), scratch_.end());
  const ListId old_list = list_of_[slot];
  const auto [list, is_new] = lists_.Acquire(AsText(scratch_));
  list_of_[slot] = list;
  if (!is_new) {
    // The list already holds these references.
    for (const NameId id : scratch_) names_.Release(id);
  }
  if (list != old_list) {
    Count(list, +1);
    if (old_list != Interner::kNone) Count(old_list, -1);
  }
  if (old_list != Interner::kNone) ReleaseList(old_list);
  return list != old_list;
}

void ImageTable::Clear(match::NodeSlot slot) {
  if (slot >= list_of_.size() || list_of_[slot] == Interner::kNone) return;
  const ListId list = list_of_[slot];
  list_of_[slot] = Interner::kNone;
  Count(list, -1);
  ReleaseList(list);
}

void ImageTable::Count(ListId list, int change) {
  for (const NameId id : AsIds(lists_.text(list))) {
    images_[id].nodes = static_cast<std::uint32_t>(static_cast<int>(images_[id].nodes) + change);
    ++version_;
  }
}

void ImageTable::ReleaseList(ListId list) {
  if (!lists_.IsLastReference(list)) {
    lists_.Release(list);
    return;
  }
  const auto ids = AsIds(lists_.text(list));
  scratch_.assign(ids.begin(), ids.end());
  lists_.Release(list);
  for (const NameId id : scratch_) {
    if (names_.Release(id)) images_[id] = {};
  }
}

const ImageTable::Image* ImageTable::Find(std::string_view name) const {
  const NameId id = names_.Find(name);
  return id == Interner::kNone ? nullptr : &images_[id];
}

bool ImageTable::Has(match::NodeSlot slot, NameId id) const {
  if (slot >= list_of_.size() || list_of_[slot] == Interner::kNone) return false;
  return std::ranges::binary_search(AsIds(lists_.text(list_of_[slot])), id);
}

}  // namespace plimsoll::scheduler
