#include "client/lean_object.h"

#include <memory>

#include "codec/clone_bytes.h"

namespace plimsoll::client {
namespace {

using codec::Value;

/// An item of a list gets its kind and apiVersion later. Without space for them the document would
/// take twice the memory.
constexpr std::size_t kMembersToCome = 2;
constexpr std::size_t kBytesToCome = 128;

bool IsKept(const codec::Member& member, bool is_metadata) {
  return !is_metadata || member.key != "managedFields";
}

Value WithoutManagedFields(codec::Document& document, const Value& object, bool is_metadata) {
  Value out = document.NewObject(object.members().size() + (is_metadata ? 0 : kMembersToCome));
  for (const codec::Member& member : object.members()) {
    if (!IsKept(member, is_metadata)) continue;
    const bool is_here = !is_metadata && member.key == "metadata" && member.value.is_object();
    const Value value =
        is_here ? WithoutManagedFields(document, member.value, true) : document.Clone(member.value);
    document.AppendMember(out, {document.CopyText(member.key), value, member.field});
  }
  return out;
}

}  // namespace

std::shared_ptr<codec::Document> LeanCopy(const Value& tree) {
  const Value* const metadata = tree.Find("metadata");
  const Value* const dropped = metadata == nullptr ? nullptr : metadata->Find("managedFields");
  const std::size_t bytes =
      codec::CloneBytes(tree) - (dropped == nullptr ? 0 : codec::CloneBytes(*dropped));
  auto document = std::make_shared<codec::Document>(bytes + kMembersToCome * sizeof(codec::Member) +
                                                    kBytesToCome);
  document->root() = WithoutManagedFields(*document, tree, false);
  return document;
}

ObjectPtr LeanObject(const ObjectPtr& object) {
  const std::shared_ptr<codec::Document> document = LeanCopy(object->tree());
  return std::make_shared<api::Object>(document, document->root(), object->kind());
}

}  // namespace plimsoll::client
