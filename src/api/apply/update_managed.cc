#include "api/apply/update_managed.h"

#include <algorithm>
#include <utility>

#include "api/apply/apply.h"
#include "api/apply/taint_ownership.h"
#include "api/apply/zero_object.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Value;

/// Returns true if the entry's version of the kind is still served. The kind's own version is,
/// whether the kind is built in or described at run time.
bool IsServed(std::string_view api_version, const KindDesc& kind) {
  if (api_version == ApiVersionText(kind)) return true;
  const std::size_t slash = api_version.find('/');
  const bool is_core = slash == std::string_view::npos;
  return FindKind(is_core ? "" : api_version.substr(0, slash),
                  is_core ? api_version : api_version.substr(slash + 1), kind.kind) != nullptr;
}

const Value* ManagedListOf(const Value* object) {
  const Value* const metadata = object == nullptr ? nullptr : object->Find("metadata");
  return metadata == nullptr ? nullptr : metadata->Find("managedFields");
}

/// Returns the entries of the live object; none if they are malformed.
ManagedFields DecodeLive(Document& arena, const Value* live) {
  auto managed = ManagedFields::Decode(arena, ManagedListOf(live));
  return managed ? *std::move(managed) : ManagedFields();
}

/// Clients without support for managedFields omit them or send them back unchanged.
ManagedFields DecodeNewOrLive(Document& arena, const Value& object, const Value* live,
                              std::string_view subresource) {
  if (!subresource.empty()) return DecodeLive(arena, live);
  const Value* const list = ManagedListOf(&object);
  if (IsManagedFieldsReset(list)) return {};
  auto managed = ManagedFields::Decode(arena, list);
  if (!managed || managed->empty()) return DecodeLive(arena, live);
  return *std::move(managed);
}

bool HasUid(const Value* live) {
  const Value* const metadata = live == nullptr ? nullptr : live->Find("metadata");
  const Value* const uid = metadata == nullptr ? nullptr : metadata->Find("uid");
  return uid != nullptr && uid->is_string() && !uid->text().empty();
}

}  // namespace

std::string ApiVersionText(const KindDesc& kind) {
  std::string text(kind.group);
  if (!text.empty()) text += '/';
  return text += kind.version;
}

const FieldSet& UnownedFields() {
  static const FieldSet kUnowned{{"apiVersion"},
                                 {"kind"},
                                 {"metadata"},
                                 {"metadata", "name"},
                                 {"metadata", "namespace"},
                                 {"metadata", "creationTimestamp"},
                                 {"metadata", "selfLink"},
                                 {"metadata", "uid"},
                                 {"metadata", "clusterName"},
                                 {"metadata", "generation"},
                                 {"metadata", "managedFields"},
                                 {"metadata", "resourceVersion"}};
  return kUnowned;
}

FieldSet ResetFields(const KindDesc& kind, std::string_view subresource) {
  if (subresource == "status") {
    if (kind.kind == "Pod" && kind.group.empty()) {
      return {{"spec"}, {"metadata", "deletionTimestamp"}, {"metadata", "ownerReferences"}};
    }
    if (kind.kind == "Deployment" && kind.group == "apps")
      return {{"spec"}, {"metadata", "labels"}};
    return {{"spec"}};
  }
  const bool has_status = std::ranges::find(kind.subresources, "status", &SubresourceDesc::name) !=
                          kind.subresources.end();
  return has_status ? FieldSet{{"status"}} : FieldSet{};
}

void Exclude(const FieldSet& fields, Comparison& comparison) {
  for (FieldSet* const set : {&comparison.added, &comparison.removed, &comparison.modified}) {
    set->SubtractSubtrees(fields);
  }
}

void TakeFromOthers(ManagedFields& managed, const Comparison& comparison, const KindDesc& kind,
                    const ManagedEntry* except) {
  const std::string version = ApiVersionText(kind);
  std::erase_if(managed.entries(), [&](ManagedEntry& entry) {
    if (except != nullptr && entry.IsSameManager(*except)) return false;
    // Fields of another version are not comparable.
    if (entry.api_version != version) return !IsServed(entry.api_version, kind);
    for (const FieldSet* const taken :
         {&comparison.modified, &comparison.added, &comparison.removed}) {
      entry.fields.Subtract(*taken);
    }
    return entry.fields.empty();
  });
}

void RecordUpdate(ManagedFields& managed, Comparison&& comparison, ManagedEntry self,
                  const KindDesc& kind) {
  Exclude(ResetFields(kind, self.subresource), comparison);
  TakeFromOthers(managed, comparison, kind, nullptr);
  self.fields = std::move(comparison.modified);
  self.fields.Add(std::move(comparison.added));
  self.fields.Subtract(UnownedFields());
  if (self.fields.empty()) return;
  if (ManagedEntry* const previous = managed.Find(self)) {
    self.fields.Add(std::move(previous->fields));
    *previous = std::move(self);
  } else {
    managed.entries().push_back(std::move(self));
  }
}

void UpdateManagedFields(Document& document, Value& object, const Value* live,
                         const FieldWriter& writer) {
  Value* const metadata = object.Find("metadata");
  if (metadata == nullptr || !metadata->is_object()) return;
  Document arena(4096);
  ManagedFields managed = DecodeNewOrLive(arena, object, live, writer.subresource);
  // The decoded sets are views of the list's texts, which stay in the document.
  document.Remove(*metadata, "managedFields");
  if (managed.empty() && HasUid(live)) return;

  const KindDesc& kind = *writer.kind;
  const TypeDesc& type = OwnedType(*kind.type, writer.owns_single_taints);
  const Value nothing = live == nullptr ? ZeroObject(arena, type) : Value();
  const Value& before = live == nullptr ? nothing : *live;
  ReconcileTaintOwners(arena, managed, before, kind, writer.owns_single_taints);
  Comparison comparison = Compare(arena, before, object, type);
  const std::string version = ApiVersionText(kind);
  RecordUpdate(managed, std::move(comparison),
               {.manager = writer.manager.empty() ? "unknown" : writer.manager,
                .api_version = version,
                .subresource = writer.subresource,
                .time = writer.now},
               kind);
  managed.Cap();
  if (managed.empty()) return;
  document.Set(*metadata, "managedFields", managed.Encode(document));
}

}  // namespace plimsoll::api
