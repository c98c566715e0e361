#include "codec/patch/merge_patch.h"

#include "codec/patch/member_index.h"

namespace plimsoll::codec {
namespace {

/// Returns a copy without null members.
Value CloneWithoutNulls(Document& out, const Value& value) {
  if (value.is_array()) {
    Value copy = out.NewArray(value.items().size());
    for (const Value& item : value.items()) out.Append(copy, CloneWithoutNulls(out, item));
    return copy;
  }
  if (!value.is_object()) return out.Clone(value);
  Value copy = out.NewObject(value.members().size());
  for (const Member& member : value.members()) {
    if (member.value.is_null()) continue;
    out.AppendMember(copy, {out.CopyText(member.key), CloneWithoutNulls(out, member.value)});
  }
  return copy;
}

Value Merge(Document& out, const Value& original, const Value& patch) {
  if (!original.is_object()) return CloneWithoutNulls(out, patch);
  // Upstream keeps null members within a list that replaces an object, and only there.
  if (!patch.is_object()) return out.Clone(patch);

  const MemberIndex changes(patch);
  Value merged = out.NewObject(original.members().size() + patch.members().size());
  for (const Member& member : original.members()) {
    const Value* const change = changes.Find(member.key);
    if (change != nullptr && change->is_null()) continue;
    const bool is_kept = change == nullptr;
    out.AppendMember(merged, {out.CopyText(member.key),
                              is_kept ? out.Clone(member.value) : Merge(out, member.value, *change),
                              is_kept ? member.field : kUnknownField});
  }
  const MemberIndex existing(original);
  for (const Member& member : patch.members()) {
    if (member.value.is_null() || existing.Find(member.key) != nullptr) continue;
    out.AppendMember(merged, {out.CopyText(member.key), CloneWithoutNulls(out, member.value)});
  }
  return merged;
}

}  // namespace

Result<Value> ApplyMergePatch(Document& out, const Value& original, const Value& patch) {
  if (patch.is_array()) return CloneWithoutNulls(out, patch);
  if (!patch.is_object()) return Fail(Reason::BadRequest, "Invalid JSON Patch");
  return Merge(out, original, patch);
}

}  // namespace plimsoll::codec
