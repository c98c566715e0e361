#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "base/interner.h"
#include "match/index/label_column.h"

namespace plimsoll::scheduler {

/// Container images by node. Nodes with equal lists share one list.
class ImageTable {
 public:
  using NameId = Interner::Id;

  struct Image {
    std::int64_t size_bytes = 0;  // as last reported
    std::uint32_t nodes = 0;      // number of nodes that have it
  };

  /// Replaces a node's images. Returns false if nothing changed.
  bool Set(match::NodeSlot slot, const std::vector<api::NodeImage>& images);
  void Clear(match::NodeSlot slot);

  /// Returns null if no node has the image. `name` must include the tag or digest.
  const Image* Find(std::string_view name) const;
  bool Has(match::NodeSlot slot, std::string_view name) const { return Has(slot, FindName(name)); }

  /// Same by id, for queries about many nodes. An id is valid while `version` stays the same. No
  /// node has kNone.
  NameId FindName(std::string_view name) const { return names_.Find(name); }
  const Image& image(NameId id) const { return images_[id]; }
  bool Has(match::NodeSlot slot, NameId id) const;

  /// Returns true if no node has any image.
  bool empty() const { return names_.size() == 0; }

  /// Increases whenever the number of nodes of an image changes.
  std::uint64_t version() const { return version_; }

 private:
  using ListId = Interner::Id;

  void Count(ListId list, int change);
  void ReleaseList(ListId list);

  Interner names_;
  std::vector<Image> images_;    // indexed by NameId
  Interner lists_;               // sorted NameIds as bytes
  std::vector<ListId> list_of_;  // indexed by slot
  std::uint64_t version_ = 1;
  std::vector<NameId> scratch_;
};

}  // namespace plimsoll::scheduler
