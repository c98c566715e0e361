#include "apiserver/request/parse_request.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/selector/field_selector.h"
#include "apiserver/request/query_flag.h"
#include "base/text/ascii.h"

namespace plimsoll::apiserver {
namespace {

using Segments = std::span<const std::string_view>;

std::vector<std::string_view> SplitPath(std::string_view path) {
  std::vector<std::string_view> segments;
  if (path.starts_with('/')) path.remove_prefix(1);
  while (!path.empty() && path.ends_with('/')) path.remove_suffix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    segments.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return segments;
}

/// Returns false for a segment that cannot be the name of an object, resource or group.
bool IsPlain(std::string_view segment) {
  return !segment.empty() && segment != "." && segment != "..";
}

std::string_view VerbOf(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

/// Returns the name that `metadata.name=` selects, or "".
std::string PinnedName(std::string_view field_selector) {
  const auto selector = api::FieldSelector::Parse(field_selector);
  if (!selector) return {};
  for (const api::FieldRequirement& requirement : selector->requirements()) {
    if (requirement.field == "metadata.name" && requirement.is_equal) return requirement.value;
  }
  return {};
}

/// Matches one path against the table of resources.
class Matcher {
 public:
  Matcher(const ResourceTable& resources, ParsedRequest& parsed)
      : resources_(resources), parsed_(parsed) {}

  /// Sets resource, scope, namespace, name and sub-resource. Returns false if nothing of this path
  /// is served. REQUIRES: `rest` is not empty.
  bool Match(Segments rest) {
    const Resource* const first = Find(rest[0]);
    const bool is_below_namespace = rest[0] == "namespaces" && rest.size() >= 3 &&
                                    !(first != nullptr && first->Serves(rest[2]));
    if (is_below_namespace) return MatchNamespaced(rest[1], Find(rest[2]), rest.subspan(3));
    if (first == nullptr) return false;
    return first->kind->is_namespaced ? MatchAllNamespaces(*first, rest.subspan(1))
                                      : MatchCluster(*first, rest.subspan(1));
  }

 private:
  const Resource* Find(std::string_view plural) const {
    const Resource* const found = resources_.Find(parsed_.info.group, parsed_.info.version, plural);
    return found != nullptr && found->is_served ? found : nullptr;
  }

  bool MatchNamespaced(std::string_view namespace_, const Resource* resource, Segments rest) {
    if (resource == nullptr || !resource->kind->is_namespaced) return false;
    parsed_.info.namespace_ = namespace_;
    return MatchObject(*resource, Scope::Namespace, rest);
  }

  bool MatchAllNamespaces(const Resource& resource, Segments rest) {
    // Only list and watch work across namespaces.
    if (!rest.empty() || !resource.Allows("list")) return false;
    return MatchObject(resource, Scope::AllNamespaces, rest);
  }

  bool MatchCluster(const Resource& resource, Segments rest) {
    if (resource.is_namespaces() && !rest.empty()) parsed_.info.namespace_ = rest[0];
    return MatchObject(resource, Scope::Cluster, rest);
  }

  /// `rest` is [NAME[/SUBRESOURCE]].
  bool MatchObject(const Resource& resource, Scope scope, Segments rest) {
    if (rest.size() > 2) return false;
    if (rest.size() == 2 && !resource.Serves(rest[1])) return false;
    parsed_.resource = &resource;
    parsed_.info.scope = scope;
    parsed_.info.resource = resource.name();
    if (!rest.empty()) parsed_.info.name = rest[0];
    if (rest.size() == 2) parsed_.info.subresource = rest[1];
    return true;
  }

  const ResourceTable& resources_;
  ParsedRequest& parsed_;
};

/// Sets the verb. A path without a name means list, watch or deletecollection.
void ReadVerb(std::string_view method, ParsedRequest& parsed) {
  RequestInfo& info = parsed.info;
  info.verb = VerbOf(method);
  if (!info.name.empty()) return;
  if (info.verb == "get") info.verb = QueryFlag(parsed.target, "watch") ? "watch" : "list";
  if (info.verb == "delete") info.verb = "deletecollection";
  const bool is_list = info.verb == "list" || info.verb == "watch";
  if (!is_list && info.verb != "deletecollection") return;
  info.field_selector = parsed.target.Query("fieldSelector");
  if (is_list) info.name = PinnedName(info.field_selector);
}

bool IsVerbServed(const Resource& resource, const RequestInfo& info, bool has_name) {
  const auto has = [&](const auto& verbs) {
    return std::ranges::find(verbs, info.verb) != verbs.end();
  };
  if (!info.subresource.empty()) {
    const auto& all = resource.kind->subresources;
    const auto found = std::ranges::find(all, info.subresource, &api::SubresourceDesc::name);
    return found != all.end() && has(found->verbs);
  }
  const bool is_list = info.verb == "list" || info.verb == "watch";
  const bool is_of_collection = is_list || info.verb == "create" || info.verb == "deletecollection";
  if (is_of_collection == has_name) return false;
  if (info.scope == Scope::AllNamespaces && !is_list) return false;
  return has(resource.kind->verbs);
}

}  // namespace

ParsedRequest ParseRequest(std::string_view method, std::string_view target,
                           const ResourceTable& resources) {
  ParsedRequest parsed;
  RequestInfo& info = parsed.info;
  info.verb = Lowered(method);
  Result<net::Target> read = net::ParseTarget(target);
  if (!read) {
    parsed.refusal = api::FromError(read.error());
    return parsed;
  }
  parsed.target = *std::move(read);
  info.path = parsed.target.path;
  const std::vector<std::string_view> segments = SplitPath(parsed.target.path);
  const bool is_core = !segments.empty() && segments[0] == "api";
  const bool is_grouped = !segments.empty() && segments[0] == "apis";
  const std::size_t head = is_core ? 2 : 3;
  if ((!is_core && !is_grouped) || segments.size() <= head ||
      !std::ranges::all_of(segments, IsPlain)) {
    return parsed;
  }

  info.is_resource_request = true;
  if (is_grouped) info.group = segments[1];
  info.version = segments[head - 1];
  if (!Matcher(resources, parsed).Match(Segments(segments).subspan(head))) {
    info.resource = segments[head];
    info.verb = VerbOf(method);
    parsed.refusal = api::NoSuchPath();
    return parsed;
  }
  const bool has_name = !info.name.empty();
  ReadVerb(method, parsed);
  parsed.is_verb_served = IsVerbServed(*parsed.resource, info, has_name);
  return parsed;
}

}  // namespace plimsoll::apiserver
