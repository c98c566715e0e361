#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "base/interner.h"
#include "match/index/label_column.h"

namespace plimsoll::scheduler {

/// Which nodes have which container images. Nodes with the same list share it.
class ImageTable {
 public:
  using NameId = Interner::Id;

  struct Image {
    std::int64_t size_bytes = 0;  // as last told
    std::uint32_t nodes = 0;      // that have it
  };

  /// Replaces a node's images; false when nothing changed.
  bool Set(match::NodeSlot slot, const std::vector<api::NodeImage>& images);
  void Clear(match::NodeSlot slot);

  /// Null when no node has it. `name` is complete: with tag or digest.
  const Image* Find(std::string_view name) const;
  bool Has(match::NodeSlot slot, std::string_view name) const { return Has(slot, FindName(name)); }

  /// The same by number, for who asks about many nodes. A number is good while `version` is the
  /// same; kNone is had by no node.
  NameId FindName(std::string_view name) const { return names_.Find(name); }
  const Image& image(NameId id) const { return images_[id]; }
  bool Has(match::NodeSlot slot, NameId id) const;

  /// Whether no node has any.
  bool empty() const { return names_.size() == 0; }

  /// Grows when a number of nodes per image changes.
  std::uint64_t version() const { return version_; }

 private:
  using ListId = Interner::Id;

  void Count(ListId list, int change);
  void ReleaseList(ListId list);

  Interner names_;
  std::vector<Image> images_;    // by NameId
  Interner lists_;               // of NameIds, as bytes, sorted
  std::vector<ListId> list_of_;  // by slot
  std::uint64_t version_ = 1;
  std::vector<NameId> scratch_;
};

}  // namespace plimsoll::scheduler
