#include "api/object.h"

#include <optional>
#include <utility>

#include "api/decode/decode.h"
#include "api/defaults/defaults.h"
#include "api/schema/fields.h"
#include "base/go_text.h"
#include "codec/go_kind.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;

Workload MakeWorkload(WorkloadKind kind) {
  Workload out;
  out.kind = kind;
  return out;
}

/// Returns the empty view for a kind.
Object::View MakeView(TypeId type) {
  namespace apps = fields::apps_v1;
  namespace core = fields::core_v1;
  namespace resource = fields::resource_v1;
  namespace storage = fields::storage_v1;
  switch (type) {
    case core::Pod::kTypeId:
      return Pod();
    case core::Node::kTypeId:
      return Node();
    case core::PersistentVolume::kTypeId:
      return PersistentVolume();
    case core::PersistentVolumeClaim::kTypeId:
      return PersistentVolumeClaim();
    case apps::Deployment::kTypeId:
      return MakeWorkload(WorkloadKind::Deployment);
    case apps::ReplicaSet::kTypeId:
      return MakeWorkload(WorkloadKind::ReplicaSet);
    case apps::StatefulSet::kTypeId:
      return MakeWorkload(WorkloadKind::StatefulSet);
    case apps::DaemonSet::kTypeId:
      return MakeWorkload(WorkloadKind::DaemonSet);
    case fields::batch_v1::Job::kTypeId:
      return MakeWorkload(WorkloadKind::Job);
    case storage::StorageClass::kTypeId:
      return StorageClass();
    case storage::CSINode::kTypeId:
      return CsiNode();
    case storage::CSIDriver::kTypeId:
      return CsiDriver();
    case storage::CSIStorageCapacity::kTypeId:
      return CsiStorageCapacity();
    case storage::VolumeAttachment::kTypeId:
      return VolumeAttachment();
    case fields::policy_v1::PodDisruptionBudget::kTypeId:
      return PodDisruptionBudget();
    case resource::ResourceSlice::kTypeId:
      return ResourceSlice();
    case resource::ResourceClaim::kTypeId:
      return ResourceClaim();
    case resource::ResourceClaimTemplate::kTypeId:
      return ResourceClaimTemplate();
    case resource::DeviceClass::kTypeId:
      return DeviceClass();
    case resource::DeviceTaintRule::kTypeId:
      return DeviceTaintRule();
    default:
      return UntypedObject();
  }
}

/// Lists and Status have ListMeta, which is not decoded; options have no metadata.
void Decode(const Value& tree, const KindDesc& kind, UntypedObject& out) {
  const codec::FieldId metadata = FindField(*kind.type, "metadata");
  if (metadata == codec::kUnknownField) return;
  const TypeDesc* type = kind.type->fields[metadata].shape->type;
  if (type->id != fields::meta_v1::ObjectMeta::kTypeId) return;
  for (const codec::Member& member : tree.members()) {
    if (member.field == metadata) api::Decode(member.value, out.metadata);
  }
}

struct GroupVersion {
  std::string_view group;
  std::string_view version;
};

Result<GroupVersion> ParseGroupVersion(std::string_view text) {
  if (text == "/") return GroupVersion{};
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return GroupVersion{{}, text};
  if (text.find('/', slash + 1) != std::string_view::npos) {
    return FailAt(Reason::BadRequest, "apiVersion",
                  "unexpected GroupVersion string: " + std::string(text));
  }
  return GroupVersion{text.substr(0, slash), text.substr(slash + 1)};
}

/// Returns an empty text for missing and null, as Go does.
Result<std::string_view> TextMember(const Value& tree, std::string_view key) {
  const Value* value = tree.Find(key);
  if (value == nullptr || value->is_null()) return std::string_view();
  if (value->is_string()) return value->text();
  return FailAt(Reason::BadRequest, std::string(key),
                "couldn't get version/kind; json parse error: json: cannot unmarshal " +
                    std::string(codec::GoKindText(*value)) + " into Go struct field ." +
                    std::string(key) + " of type string");
}

Result<const KindDesc*> ReadKind(const ObjectSource& source) {
  const Value& tree = *source.tree;
  if (!tree.is_object()) {
    return Fail(Reason::BadRequest,
                "couldn't get version/kind; json parse error: json: cannot unmarshal " +
                    std::string(codec::GoKindText(tree)) +
                    R"( into Go value of type struct { APIVersion string )"
                    R"("json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" })");
  }
  const std::string_view api_version = PL_TRY(TextMember(tree, "apiVersion"));
  const std::string_view kind = PL_TRY(TextMember(tree, "kind"));
  if (api_version.empty() && kind.empty() && source.implied_kind != nullptr) {
    return source.implied_kind;
  }
  const GroupVersion parsed = PL_TRY(ParseGroupVersion(api_version));
  if (kind.empty()) {
    return Fail(Reason::BadRequest, "Object 'Kind' is missing in '" + codec::WriteJson(tree) + "'");
  }
  if (parsed.version.empty()) {
    return Fail(Reason::BadRequest,
                "Object 'apiVersion' is missing in '" + codec::WriteJson(tree) + "'");
  }
  const KindDesc* found = FindKind(parsed.group, parsed.version, kind);
  if (found == nullptr) {
    return FailAt(
        Reason::BadRequest, "kind",
        "no kind " + GoQuote(kind) + " is registered for version " + GoQuote(api_version));
  }
  return found;
}

/// Returns the kind of the items of a typed list, or null.
const KindDesc* ItemKind(const KindDesc& list) {
  return FindKind(list.group, list.version, list.item_kind);
}

void AddObjects(Value& tree, std::string path, const KindDesc* implied,
                std::vector<ObjectSource>& out) {
  ObjectSource here{&tree, std::move(path), implied};
  const auto kind = ReadKind(here);
  Value* items = kind && (*kind)->is_list() ? tree.Find("items") : nullptr;
  if (items == nullptr || !items->is_array()) {
    out.push_back(std::move(here));
    return;
  }
  const std::string prefix = (here.path.empty() ? "" : here.path + ".") + "items[";
  std::size_t index = 0;
  for (Value& item : items->items()) {
    AddObjects(item, prefix + std::to_string(index++) + "]", ItemKind(**kind), out);
  }
}

}  // namespace

Object::Object(std::shared_ptr<const codec::Document> document, const codec::Value& tree,
               const KindDesc& kind)
    : document_(std::move(document)), tree_(&tree), kind_(&kind), view_(MakeView(kind.type->id)) {
  metadata_ = std::visit(
      [&]<class T>(T& view) -> const ObjectMeta* {
        if constexpr (std::is_same_v<T, UntypedObject>) {
          Decode(tree, kind, view);
        } else {
          api::Decode(tree, view);
        }
        return &view.metadata;
      },
      view_);
}

std::vector<ObjectSource> FindObjects(codec::Document& document) {
  std::vector<ObjectSource> out;
  AddObjects(document.root(), {}, nullptr, out);
  return out;
}

Result<DecodedObject> DecodeObject(const std::shared_ptr<codec::Document>& document,
                                   const ObjectSource& source, const DecodeOptions& options) {
  const KindDesc& kind = *PL_TRY(ReadKind(source));
  DecodedObject out;
  Status conformed = Conform(*document, *source.tree, kind.type->id, options.field_validation,
                             out.warnings, source.path);
  if (!conformed) {
    Error error = std::move(conformed).error();
    const std::string name(kind.kind);
    error.message = name + " in version " + GoQuote(kind.version) + " cannot be handled as a " +
                    name + ": " + error.message;
    return std::unexpected(std::move(error));
  }
  if (options.apply_defaults) ApplyDefaults(*document, *source.tree, kind.type->id);
  out.object = std::make_shared<const Object>(document, *source.tree, kind);
  return out;
}

Result<DecodedObject> DecodeObject(const std::shared_ptr<codec::Document>& document,
                                   const DecodeOptions& options) {
  return DecodeObject(document, ObjectSource{.tree = &document->root(), .path = {}}, options);
}

}  // namespace plimsoll::api
