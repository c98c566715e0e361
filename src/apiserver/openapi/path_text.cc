#include "apiserver/openapi/path_text.h"

#include <algorithm>
#include <array>
#include <string>

#include "api/schema/api_version.h"
#include "apiserver/discovery/discovery.h"
#include "base/text/ascii.h"

/// Clients use little of this: kubectl checks that PATCH of a kind accepts `dryRun` and
/// `fieldValidation`. Code generators need the operations with their names, parameters and bodies.
namespace plimsoll::apiserver {
namespace {

using api::KindDesc;
using api::SubresourceDesc;
using Flavor = OpenApiFlavor;

struct Parameter {
  std::string_view name;
  std::string_view type;
  std::string_view doc;
};
constexpr Parameter kPretty{"pretty", "string", "If true, the answer is indented for people."};
constexpr Parameter kDryRun{"dryRun", "string",
                            "If All, everything is done but the change itself: nothing is stored."};
constexpr Parameter kFieldManager{"fieldManager", "string",
                                  "Who makes the change, for the record of who set which field."};
constexpr Parameter kFieldValidation{
    "fieldValidation", "string",
    "What becomes of unknown and repeated fields: Ignore, Warn or Strict."};
constexpr Parameter kForce{"force", "boolean",
                           "Whether an apply takes fields over that others have set."};

constexpr std::array kListParameters = {
    Parameter{"allowWatchBookmarks", "boolean",
              "Whether a watch may send bookmarks, which tell how far it has come."},
    Parameter{"continue", "string", "Where the previous page of the list has ended."},
    Parameter{"fieldSelector", "string", "Only objects with these values in these fields."},
    Parameter{"labelSelector", "string", "Only objects with these labels."},
    Parameter{"limit", "integer", "The most objects that a page may hold."},
    Parameter{"resourceVersion", "string", "How recent the answer must be."},
    Parameter{"resourceVersionMatch", "string",
              "How resourceVersion is meant: Exact or NotOlderThan."},
    Parameter{"sendInitialEvents", "boolean", "Whether a watch begins with what is there."},
    Parameter{"shardSelector", "string", "Only objects of this part of the whole."},
    Parameter{"timeoutSeconds", "integer", "When the list or the watch ends at the latest."},
    Parameter{"watch", "boolean", "Whether changes are sent as they happen."},
};
constexpr std::array kDeleteParameters = {
    kDryRun,
    Parameter{"gracePeriodSeconds", "integer", "How long the object may take to end."},
    Parameter{"ignoreStoreReadErrorWithClusterBreakingPotential", "boolean",
              "Whether an object that cannot be read is deleted all the same."},
    Parameter{"orphanDependents", "boolean", "Older than propagationPolicy, which see."},
    Parameter{"propagationPolicy", "string",
              "What becomes of dependents: Orphan, Background or Foreground."},
};
constexpr std::array kWriteParameters = {kDryRun, kFieldManager, kFieldValidation};
constexpr std::array kPatchParameters = {kDryRun, kFieldManager, kFieldValidation, kForce};

/// One verb on one path.
struct Operation {
  std::string_view method;    // get
  std::string_view verb;      // in the operation id: read
  std::string_view action;    // x-kubernetes-action
  std::string_view request;   // schema of the request body; empty: none
  std::string_view response;  // schema of the response; empty: none
  std::span<const Parameter> parameters;
  std::span<const Parameter> more_parameters;
  bool creates = false;
};

/// Returns `RbacAuthorization` for `rbac.authorization.k8s.io`, `Core` for the core group.
std::string GroupWord(std::string_view group) {
  if (group.empty()) return "Core";
  if (group.ends_with(".k8s.io")) group.remove_suffix(std::string_view(".k8s.io").size());
  std::string word;
  bool begins = true;
  for (const char c : group) {
    if (c == '.') {
      begins = true;
      continue;
    }
    word += begins && IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c;
    begins = false;
  }
  return word;
}

std::string Capitalized(std::string_view text) {
  std::string out(text);
  if (!out.empty() && IsLower(out[0])) {
    out[0] = static_cast<char>(out[0] - 'a' + 'A');
  }
  return out;
}

class PathWriter {
 public:
  PathWriter(Flavor flavor, codec::JsonStream& out, std::set<std::string_view>& names)
      : flavor_(flavor), out_(out), names_(names) {}

  void Root(std::string_view group, std::string_view version) {
    names_.insert(kResourceListName);
    out_.Key(RootOf(group, version)).Open('{').Key("get").Open('{');
    out_.Field("description", "The resources of this version.");
    out_.Field("operationId", "get" + GroupWord(group) + Capitalized(version) + "APIResources");
    Media({}, /*has_body=*/false);
    Responses(kResourceListName, /*creates=*/false);
    out_.Close('}').Close('}');
  }

  void Resource(const apiserver::Resource& resource) {
    resource_ = &resource;
    const KindDesc& kind = *resource.kind;
    names_.insert(kind.type->name);
    const std::string base = RootOf(kind.group, kind.version);
    const std::string collection =
        base + (kind.is_namespaced ? "namespaces/{namespace}/" : "") + std::string(kind.plural);
    Collection(collection);
    if (resource.Allows("get")) Object(collection + "/{name}");
    for (const SubresourceDesc& part : kind.subresources) {
      if (resource.Serves(part.name)) Part(collection + "/{name}/" + std::string(part.name), part);
    }
    if (kind.is_namespaced && resource.Allows("list")) Everywhere(base + std::string(kind.plural));
  }

 private:
  static std::string RootOf(std::string_view group, std::string_view version) {
    return (group.empty() ? "/api/" : "/apis/") + api::ApiVersionOf(group, version) + "/";
  }

  std::string_view ListName() const {
    const KindDesc& kind = *resource_->kind;
    const KindDesc* list = api::FindKind(kind.group, kind.version, kind.list_kind);
    return list == nullptr ? std::string_view() : list->type->name;
  }

  void Collection(const std::string& path) {
    const KindDesc& kind = *resource_->kind;
    const std::string subject = (kind.is_namespaced ? "Namespaced" : "") + std::string(kind.kind);
    OpenPath(path, kind.is_namespaced, /*has_name=*/false);
    if (resource_->Allows("list")) {
      Write({"get", "list", "list", "", ListName(), kListParameters, {}}, subject, kind);
    }
    if (resource_->Allows("create")) {
      Write(
          {"post", "create", "post", kind.type->name, kind.type->name, kWriteParameters, {}, true},
          subject, kind);
    }
    if (resource_->Allows("deletecollection")) {
      Write({"delete", "delete", "deletecollection", kDeleteOptionsName, kStatusName,
             kListParameters, kDeleteParameters},
            "Collection" + subject, kind);
    }
    out_.Close('}');
  }

  void Object(const std::string& path) {
    const KindDesc& kind = *resource_->kind;
    const std::string subject = (kind.is_namespaced ? "Namespaced" : "") + std::string(kind.kind);
    OpenPath(path, kind.is_namespaced, /*has_name=*/true);
    ReadAndWrite(subject, kind, kind.verbs);
    if (resource_->Allows("delete")) {
      // A delete returns a Status, or the object if it still exists.
      Write({"delete", "delete", "delete", kDeleteOptionsName, kStatusName, kDeleteParameters, {}},
            subject, kind);
    }
    out_.Close('}');
  }

  void Part(const std::string& path, const SubresourceDesc& part) {
    const KindDesc& owner = *resource_->kind;
    const KindDesc* kind = api::FindKind(part.group, part.version, part.kind);
    if (kind == nullptr) return;
    const std::string subject = (owner.is_namespaced ? "Namespaced" : "") +
                                std::string(owner.kind) + Capitalized(part.name);
    OpenPath(path, owner.is_namespaced, /*has_name=*/true);
    if (part.name == "log") {
      // The response is text, although discovery names a kind.
      Write({"get", "read", "get", "", "", {}, {}}, subject, *kind);
      out_.Close('}');
      return;
    }
    ReadAndWrite(subject, *kind, part.verbs);
    if (std::ranges::find(part.verbs, "create") != part.verbs.end()) {
      Write({"post",
             "create",
             "post",
             kind->type->name,
             kind->type->name,
             kWriteParameters,
             {},
             true},
            subject, *kind);
    }
    out_.Close('}');
  }

  void Everywhere(const std::string& path) {
    const KindDesc& kind = *resource_->kind;
    OpenPath(path, /*is_namespaced=*/false, /*has_name=*/false);
    Write({"get", "list", "list", "", ListName(), kListParameters, {}},
          std::string(kind.kind) + "ForAllNamespaces", kind);
    out_.Close('}');
  }

  void ReadAndWrite(const std::string& subject, const KindDesc& kind,
                    std::span<const std::string_view> verbs) {
    const auto has = [&](std::string_view verb) {
      return std::ranges::find(verbs, verb) != verbs.end();
    };
    const std::string_view type = kind.type->name;
    if (has("get")) Write({"get", "read", "get", "", type, {}, {}}, subject, kind);
    if (has("update")) {
      Write({"put", "replace", "put", type, type, kWriteParameters, {}, true}, subject, kind);
    }
    if (has("patch")) {
      Write({"patch", "patch", "patch", kPatchName, type, kPatchParameters, {}, true}, subject,
            kind);
    }
  }

  void OpenPath(const std::string& path, bool is_namespaced, bool has_name) {
    out_.Key(path).Open('{').Key("parameters").Open('[');
    const auto in_path = [&](std::string_view name, std::string_view doc) {
      out_.Open('{').Field("name", name).Field("in", "path").Field("description", doc);
      out_.Field("required", true);
      TypeOf("string");
      out_.Close('}');
    };
    if (has_name) in_path("name", "The object's name.");
    if (is_namespaced) in_path("namespace", "The namespace that the object lives in.");
    Query(kPretty);
    out_.Close(']');
  }

  void TypeOf(std::string_view type) {
    if (flavor_ == Flavor::V3) out_.Key("schema").Open('{');
    out_.Field("type", type).Field("uniqueItems", true);
    if (flavor_ == Flavor::V3) out_.Close('}');
  }

  void Query(const Parameter& parameter) {
    out_.Open('{').Field("name", parameter.name).Field("in", "query");
    out_.Field("description", parameter.doc);
    TypeOf(parameter.type);
    out_.Close('}');
  }

  void Write(const Operation& operation, const std::string& subject, const KindDesc& kind) {
    const KindDesc& owner = *resource_->kind;
    const std::string where = GroupWord(owner.group) + Capitalized(owner.version);
    for (const std::string_view name : {operation.request, operation.response}) {
      if (!name.empty()) names_.insert(name);
    }
    out_.Key(operation.method).Open('{').Key("tags").Open('[').Text(TagOf(owner)).Close(']');
    out_.Field("operationId", std::string(operation.verb) + where + subject);
    out_.Key("parameters").Open('[');
    for (const Parameter& parameter : operation.parameters) Query(parameter);
    for (const Parameter& parameter : operation.more_parameters) Query(parameter);
    const bool has_body = !operation.request.empty();
    if (has_body && flavor_ == Flavor::V2) {
      out_.Open('{').Field("name", "body").Field("in", "body");
      out_.Field("required", operation.method != "delete").Key("schema");
      Reference(operation.request);
      out_.Close('}');
    }
    out_.Close(']');
    Media(operation, has_body);
    Responses(operation.response, operation.creates);
    out_.Field("x-kubernetes-action", operation.action).Key("x-kubernetes-group-version-kind");
    out_.Open('{').Field("group", kind.group).Field("kind", kind.kind);
    out_.Field("version", kind.version).Close('}').Close('}');
  }

  /// Returns `rbacAuthorization_v1`.
  static std::string TagOf(const KindDesc& kind) {
    std::string word = GroupWord(kind.group);
    word[0] = static_cast<char>(word[0] - 'A' + 'a');
    return word.append("_").append(kind.version);
  }

  void Reference(std::string_view name) {
    out_.Open('{').Field("$ref", SchemaPointer(flavor_, name)).Close('}');
  }

  /// Writes the media types of request and response bodies.
  void Media(const Operation& operation, bool has_body) {
    static constexpr std::array<std::string_view, 1> kJson = {"application/json"};
    static constexpr std::array<std::string_view, 4> kPatches = {
        "application/json-patch+json", "application/merge-patch+json",
        "application/strategic-merge-patch+json", "application/apply-patch+yaml"};
    static constexpr std::array<std::string_view, 1> kAny = {"*/*"};
    const std::span<const std::string_view> consumed =
        operation.method == "patch" ? std::span<const std::string_view>(kPatches) : kAny;
    if (flavor_ == Flavor::V2) {
      out_.Field("consumes", consumed).Field("produces", std::span<const std::string_view>(kJson));
      return;
    }
    if (!has_body) return;
    out_.Key("requestBody").Open('{');
    if (operation.method != "delete") out_.Field("required", true);
    out_.Key("content").Open('{');
    for (const std::string_view type : consumed) {
      out_.Key(type).Open('{').Key("schema");
      Reference(operation.request);
      out_.Close('}');
    }
    out_.Close('}').Close('}');
  }

  void Responses(std::string_view schema, bool creates) {
    out_.Key("responses").Open('{');
    Response("200", "OK", schema);
    if (creates) Response("201", "Created", schema);
    out_.Key("401").Open('{').Field("description", "Unauthorized").Close('}').Close('}');
  }

  void Response(std::string_view code, std::string_view text, std::string_view schema) {
    out_.Key(code).Open('{').Field("description", text);
    if (!schema.empty()) {
      if (flavor_ == Flavor::V3) {
        out_.Key("content").Open('{').Key("application/json").Open('{');
      }
      out_.Key("schema");
      Reference(schema);
      if (flavor_ == Flavor::V3) out_.Close('}').Close('}');
    }
    out_.Close('}');
  }

  Flavor flavor_;
  codec::JsonStream& out_;
  std::set<std::string_view>& names_;
  const apiserver::Resource* resource_ = nullptr;
};

}  // namespace

void WritePaths(std::span<const Resource* const> resources, OpenApiFlavor flavor,
                codec::JsonStream& out, std::set<std::string_view>& names) {
  if (resources.empty()) return;
  PathWriter writer(flavor, out, names);
  writer.Root(resources.front()->kind->group, resources.front()->kind->version);
  for (const Resource* resource : resources) writer.Resource(*resource);
}

}  // namespace plimsoll::apiserver
