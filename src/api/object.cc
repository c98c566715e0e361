#include "api/object.h"

#include <optional>
#include <utility>

#include "api/decode/decode.h"
#include "api/defaults/defaults.h"
#include "api/schema/kind_table.h"
#include "base/go_text.h"
#include "codec/go_kind.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;

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

const KindDesc* FindKindIn(const KindTable* more, const GroupVersion& version,
                           std::string_view kind) {
  const KindDesc* found = FindKind(version.group, version.version, kind);
  if (found != nullptr || more == nullptr) return found;
  return more->FindKind(version.group, version.version, kind);
}

Result<const KindDesc*> ReadKind(const ObjectSource& source, const KindTable* more = nullptr) {
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
  const KindDesc* found = FindKindIn(more, parsed, kind);
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
    : document_(std::move(document)),
      tree_(&tree),
      kind_(&kind),
      metadata_(DecodeView(tree, *kind.type, view_)) {}

std::vector<ObjectSource> FindObjects(codec::Document& document) {
  std::vector<ObjectSource> out;
  AddObjects(document.root(), {}, nullptr, out);
  return out;
}

Result<DecodedObject> DecodeObject(const std::shared_ptr<codec::Document>& document,
                                   const ObjectSource& source, const DecodeOptions& options) {
  const KindDesc& kind = *PL_TRY(ReadKind(source, options.kinds));
  DecodedObject out;
  Status conformed = Conform(*document, *source.tree, *kind.type, options.field_validation,
                             out.warnings, source.path);
  if (!conformed) {
    Error error = std::move(conformed).error();
    const std::string name(kind.kind);
    error.message = name + " in version " + GoQuote(kind.version) + " cannot be handled as a " +
                    name + ": " + error.message;
    return std::unexpected(std::move(error));
  }
  if (options.apply_defaults) ApplyDefaults(*document, *source.tree, *kind.type);
  out.object = std::make_shared<const Object>(document, *source.tree, kind);
  return out;
}

Result<DecodedObject> DecodeObject(const std::shared_ptr<codec::Document>& document,
                                   const DecodeOptions& options) {
  return DecodeObject(document, ObjectSource{.tree = &document->root(), .path = {}}, options);
}

}  // namespace plimsoll::api
