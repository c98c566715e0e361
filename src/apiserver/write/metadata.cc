#include "apiserver/write/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr std::string_view kDoubleOwners =
    ".metadata.ownerReferences contains duplicate entries{}; API server dedups owner references in "
    "1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate "
    "UID(s) observed: {}";

bool HasItems(const Value* list) { return list != nullptr && !list->items().empty(); }

/// Returns true if two objects are equal except for the member `key`.
bool SameBut(const Value& a, const Value& b, std::string_view key) {
  const auto size = [&](const Value& object) {
    return object.members().size() - (object.Find(key) == nullptr ? 0 : 1);
  };
  return size(a) == size(b) && std::ranges::all_of(a.members(), [&](const codec::Member& member) {
           if (member.key == key) return true;
           const Value* other = b.Find(member.key);
           return other != nullptr && *other == member.value;
         });
}

}  // namespace

void WipeSystemFields(const ObjectEditor& object) {
  const ObjectEditor metadata = object.Child("metadata");
  for (const std::string_view field : {"creationTimestamp", "uid", "deletionTimestamp",
                                       "deletionGracePeriodSeconds", "selfLink"}) {
    metadata.Remove(field);
  }
}

api::Answer<void> SetNamespace(const WriteTarget& target, const ObjectEditor& object) {
  const ObjectEditor metadata = object.Child("metadata");
  const std::string_view own = metadata.Text("namespace");
  if (target.namespace_.empty()) {
    metadata.Remove("namespace");
  } else if (own.empty()) {
    metadata.SetText("namespace", target.namespace_);
  } else if (own != target.namespace_) {
    return std::unexpected(api::BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request"));
  }
  return {};
}

api::Answer<void> CheckName(const WriteTarget& target, const ObjectEditor& object) {
  const std::string_view own = TextAt(object.value(), "metadata", "name");
  if (own.empty()) {
    return std::unexpected(api::BadRequest(
        fmt::format("the name of the object ({} based on URL) was undeterminable: name must be "
                    "provided",
                    target.name)));
  }
  if (own != target.name) {
    return std::unexpected(api::BadRequest(fmt::format(
        "the name of the object ({}) does not match the name on the URL ({})", own, target.name)));
  }
  return {};
}

void DropDuplicateOwners(const WriteTarget& target, const ObjectEditor& object,
                         bool is_after_admission) {
  Value* owners = object.value().Find("metadata");
  owners = owners == nullptr ? nullptr : owners->Find("ownerReferences");
  if (owners == nullptr) return;
  std::string doubles;
  std::size_t kept = 0;
  const auto items = owners->items();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto begin = items.begin();
    if (std::find(begin, begin + static_cast<std::ptrdiff_t>(kept), items[i]) ==
        begin + static_cast<std::ptrdiff_t>(kept)) {
      items[kept++] = items[i];
      continue;
    }
    doubles += (doubles.empty() ? "" : ", ");
    doubles += TextAt(items[i], "uid");
  }
  if (kept == items.size()) return;
  codec::Document::Truncate(*owners, kept);
  target.warnings->push_back(
      fmt::format(fmt::runtime(kDoubleOwners),
                  is_after_admission ? " after mutating admission happens" : "", doubles));
}

void DropEmptyFields(const ObjectEditor& object) {
  const ObjectEditor metadata = object.Child("metadata");
  for (const std::string_view field : {"labels", "annotations", "ownerReferences", "finalizers"}) {
    const Value* const value = metadata.Find(field);
    if (value == nullptr) continue;
    const bool is_empty =
        value->is_object() ? value->members().empty() : value->is_array() && value->items().empty();
    if (is_empty) metadata.Remove(field);
  }
}

void FillSystemFields(const ObjectEditor& object, std::string_view uid, Instant now) {
  const ObjectEditor metadata = object.Child("metadata");
  metadata.SetText("uid", uid);
  metadata.SetText("creationTimestamp", FormatTime(now));
}

void KeepSystemFields(const ObjectEditor& object, const Value& before) {
  const ObjectEditor metadata = object.Child("metadata");
  const Value* theirs = before.Find("metadata");
  PL_ASSERT(theirs != nullptr);
  metadata.Remove("selfLink");
  metadata.CopyFrom(theirs, "generation");
  metadata.CopyFrom(theirs, "creationTimestamp");
  if (metadata.Text("uid").empty()) metadata.CopyFrom(theirs, "uid");
  if (theirs->Find("deletionTimestamp") != nullptr) metadata.CopyFrom(theirs, "deletionTimestamp");
  if (!metadata.Has("deletionGracePeriodSeconds")) {
    metadata.CopyFrom(theirs, "deletionGracePeriodSeconds");
  }
}

api::Answer<std::uint64_t> ResourceVersionOf(const Value& tree) {
  const std::string_view text = TextAt(tree, "metadata", "resourceVersion");
  if (text.empty()) return 0;
  const Result<std::uint64_t> number = GoParseUint(text);
  if (!number) {
    return std::unexpected(api::StatusObject{.code = 500,
                                             .reason = {},
                                             .message = number.error().message,
                                             .details = {},
                                             .is_success = false});
  }
  return *number;
}

bool IsUnchanged(const Value& now, const Value& before) {
  const Value* ours = now.Find("metadata");
  const Value* theirs = before.Find("metadata");
  PL_ASSERT(ours != nullptr && theirs != nullptr);
  if (!SameBut(*ours, *theirs, "managedFields") || !SameBut(now, before, "metadata")) return false;
  ours = ours->Find("managedFields");
  theirs = theirs->Find("managedFields");
  if (ours == nullptr || theirs == nullptr) return ours == theirs;
  return std::ranges::equal(ours->items(), theirs->items(),
                            [](const Value& a, const Value& b) { return SameBut(a, b, "time"); });
}

bool CanBeRemoved(const WriteTarget& target, const Value& now, const Value& before) {
  if (FindAt(before, "metadata", "deletionTimestamp") == nullptr) return false;
  if (HasItems(FindAt(now, "metadata", "finalizers"))) return false;
  if (target.resource->is_namespaces() && HasItems(FindAt(now, "spec", "finalizers"))) return false;
  const Value* grace = FindAt(now, "metadata", "deletionGracePeriodSeconds");
  return grace == nullptr || grace->AsInt() == 0;
}

}  // namespace plimsoll::apiserver
