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
  struct Image {
    std::int64_t size_bytes = 0;  // as last told
    std::uint32_t nodes = 0;      // that have it
  };

  /// Replaces a node's images; false when nothing changed.
  bool Set(match::NodeSlot slot, const std::vector<api::NodeImage>& images);
  void Clear(match::NodeSlot slot);

  /// Null when no node has it. `name` is complete: with tag or digest.
  const Image* Find(std::string_view name) const;
  bool Has(match::NodeSlot slot, std::string_view name) const;

  /// Grows when a number of nodes per image changes.
  std::uint64_t version() const { return version_; }

 private:
  using NameId = Interner::Id;
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
