#include "apiserver/discovery/discovery.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <vector>

#include "api/schema/api_version.h"
#include "apiserver/response/media_range.h"
#include "base/text/base64.h"
#include "codec/json_text.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

/// Returns a hash that changes when the stored version of a resource changes.
std::string StorageVersionHash(const api::KindDesc& stored);

using Form = Discovery::Form;

/// Order of the groups, as upstream: clients take the first group that has the name they look for.
/// Other groups follow in alphabetical order.
constexpr std::array<std::string_view, 17> kGroupOrder = {
    "apps",
    "events.k8s.io",
    "authentication.k8s.io",
    "authorization.k8s.io",
    "autoscaling",
    "batch",
    "certificates.k8s.io",
    "networking.k8s.io",
    "policy",
    "rbac.authorization.k8s.io",
    "storage.k8s.io",
    "admissionregistration.k8s.io",
    "apiextensions.k8s.io",
    "scheduling.k8s.io",
    "coordination.k8s.io",
    "node.k8s.io",
    "discovery.k8s.io",
};

struct ApiVersion {
  std::string_view name;
  std::vector<const Resource*> resources;  // sorted by name
};

struct ApiGroup {
  std::string_view name;
  std::vector<ApiVersion> versions;  // preferred version first
};

template <class List, class Name>
auto& FindOrAdd(List& list, const Name& name) {
  const auto found = std::ranges::find(list, name, [](const auto& one) { return one.name; });
  if (found != list.end()) return *found;
  return list.emplace_back(typename List::value_type{name, {}});
}

std::vector<ApiGroup> Grouped(std::span<const Resource> resources) {
  std::vector<ApiGroup> groups;
  for (const Resource& resource : resources) {
    ApiGroup& group = FindOrAdd(groups, resource.kind->group);
    FindOrAdd(group.versions, resource.kind->version).resources.push_back(&resource);
  }
  const auto rank = [](const ApiGroup& group) {
    const auto found = std::ranges::find(kGroupOrder, group.name);
    return std::pair(found - kGroupOrder.begin(), group.name);
  };
  std::ranges::sort(groups, {}, rank);
  for (ApiGroup& group : groups) {
    std::ranges::sort(group.versions, [](const ApiVersion& a, const ApiVersion& b) {
      return IsPreferredVersion(a.name, b.name);
    });
    for (ApiVersion& version : group.versions) {
      std::ranges::sort(version.resources, {}, [](const Resource* one) { return one->name(); });
    }
  }
  return groups;
}

DiscoveryDocument Finish(codec::JsonStream out) {
  std::string json = std::move(out).text();
  std::string etag = '"' + net::Sha256Hex(json) + '"';
  return {std::move(json), std::move(etag)};
}

void WriteVersion(std::string_view group, std::string_view version, codec::JsonStream& out) {
  out.Open('{').Field("groupVersion", api::ApiVersionOf(group, version));
  out.Field("version", version).Close('}');
}

/// Writes the members of an APIGroup except its kind.
void WriteGroupMembers(const ApiGroup& group, codec::JsonStream& out) {
  out.Field("name", group.name).Key("versions").Open('[');
  for (const ApiVersion& version : group.versions) WriteVersion(group.name, version.name, out);
  out.Close(']').Key("preferredVersion");
  WriteVersion(group.name, group.versions.front().name, out);
}

void WriteResource(const Resource& resource, codec::JsonStream& out) {
  const api::KindDesc& kind = *resource.kind;
  out.Open('{').Field("name", kind.plural).Field("singularName", kind.singular);
  out.Field("namespaced", kind.is_namespaced).Field("kind", kind.kind).Field("verbs", kind.verbs);
  out.Field("shortNames", kind.short_names).Field("categories", kind.categories);
  if (resource.is_stored()) out.Field("storageVersionHash", StorageVersionHash(*resource.stored));
  out.Close('}');
}

void WriteSubresource(const Resource& resource, const api::SubresourceDesc& part,
                      codec::JsonStream& out) {
  const api::KindDesc& kind = *resource.kind;
  std::string name(kind.plural);
  name.append("/").append(part.name);
  out.Open('{').Field("name", name).Field("singularName", "");
  out.Field("namespaced", kind.is_namespaced);
  if (std::tie(part.group, part.version) != std::tie(kind.group, kind.version)) {
    if (!part.group.empty()) out.Field("group", part.group);
    out.Field("version", part.version);
  }
  out.Field("kind", part.kind).Field("verbs", part.verbs).Close('}');
}

DiscoveryDocument ResourceList(std::string_view group, const ApiVersion& version) {
  codec::JsonStream out;
  out.Open('{').Field("kind", "APIResourceList");
  if (!group.empty()) out.Field("apiVersion", "v1");
  out.Field("groupVersion", api::ApiVersionOf(group, version.name)).Key("resources").Open('[');
  for (const Resource* resource : version.resources) {
    WriteResource(*resource, out);
    for (const api::SubresourceDesc& part : resource->kind->subresources) {
      if (resource->Serves(part.name)) WriteSubresource(*resource, part, out);
    }
  }
  out.Close(']').Close('}');
  return Finish(std::move(out));
}

void WriteResponseKind(std::string_view group, std::string_view version, std::string_view kind,
                       codec::JsonStream& out) {
  out.Key("responseKind").Open('{').Field("group", group).Field("version", version);
  out.Field("kind", kind).Close('}');
}

void WriteAggregated(const Resource& resource, codec::JsonStream& out) {
  const api::KindDesc& kind = *resource.kind;
  out.Open('{').Field("resource", kind.plural);
  WriteResponseKind(kind.group, kind.version, kind.kind, out);
  out.Field("scope", kind.is_namespaced ? "Namespaced" : "Cluster");
  out.Field("singularResource", kind.singular).Field("verbs", kind.verbs);
  out.Field("shortNames", kind.short_names).Field("categories", kind.categories);
  if (!resource.subresources.empty()) {
    out.Key("subresources").Open('[');
    for (const api::SubresourceDesc& part : kind.subresources) {
      if (!resource.Serves(part.name)) continue;
      out.Open('{').Field("subresource", part.name);
      WriteResponseKind(part.group, part.version, part.kind, out);
      out.Field("verbs", part.verbs).Close('}');
    }
    out.Close(']');
  }
  out.Close('}');
}

DiscoveryDocument Aggregated(std::span<const ApiGroup* const> groups,
                             std::string_view api_version) {
  codec::JsonStream out;
  out.Open('{').Field("kind", "APIGroupDiscoveryList").Field("apiVersion", api_version);
  out.Key("metadata").Raw("{}").Key("items").Open('[');
  for (const ApiGroup* group : groups) {
    out.Open('{').Key("metadata").Open('{');
    if (!group->name.empty()) out.Field("name", group->name);
    out.Close('}').Key("versions").Open('[');
    for (const ApiVersion& version : group->versions) {
      out.Open('{').Field("version", version.name).Key("resources").Open('[');
      for (const Resource* resource : version.resources) WriteAggregated(*resource, out);
      out.Close(']').Field("freshness", "Current").Close('}');
    }
    out.Close(']').Close('}');
  }
  out.Close(']').Close('}');
  return Finish(std::move(out));
}

DiscoveryDocument CoreVersions(const ApiGroup* core, std::string_view server_address) {
  codec::JsonStream out;
  out.Open('{').Field("kind", "APIVersions").Key("versions").Open('[');
  if (core != nullptr) {
    for (const ApiVersion& version : core->versions) out.Text(version.name);
  }
  out.Close(']').Key("serverAddressByClientCIDRs").Open('[').Open('{');
  out.Field("clientCIDR", "0.0.0.0/0").Field("serverAddress", server_address);
  out.Close('}').Close(']').Close('}');
  return Finish(std::move(out));
}

DiscoveryDocument GroupList(std::span<const ApiGroup* const> groups) {
  codec::JsonStream out;
  out.Open('{').Field("kind", "APIGroupList").Field("apiVersion", "v1").Key("groups").Open('[');
  for (const ApiGroup* group : groups) {
    out.Open('{');
    WriteGroupMembers(*group, out);
    out.Close('}');
  }
  out.Close(']').Close('}');
  return Finish(std::move(out));
}

DiscoveryDocument OneGroup(const ApiGroup& group) {
  codec::JsonStream out;
  out.Open('{').Field("kind", "APIGroup").Field("apiVersion", "v1");
  WriteGroupMembers(group, out);
  out.Close('}');
  return Finish(std::move(out));
}

/// Splits `v2beta1` into (stability, its number, version number); higher is preferred.
std::tuple<int, int, int> VersionRank(std::string_view version) {
  const auto number = [&] {
    int value = 0;
    const auto [end, error] =
        std::from_chars(version.data(), version.data() + version.size(), value);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    return value;
  };
  if (!version.starts_with('v')) return {-1, 0, 0};
  version.remove_prefix(1);
  const int major = number();
  if (version.empty()) return {2, major, 0};
  const bool is_beta = version.starts_with("beta");
  version.remove_prefix(std::min<std::size_t>(is_beta ? 4 : 5, version.size()));
  return {is_beta ? 1 : 0, major, number()};
}

const DiscoveryDocument* Find(const std::map<std::string, DiscoveryDocument, std::less<>>& in,
                              std::string_view key) {
  const auto found = in.find(key);
  return found == in.end() ? nullptr : &found->second;
}

}  // namespace

bool IsPreferredVersion(std::string_view a, std::string_view b) {
  return VersionRank(a) > VersionRank(b);
}

namespace {

std::string StorageVersionHash(const api::KindDesc& stored) {
  std::string text(stored.group);
  text.append("/").append(stored.version).append("/").append(stored.kind);
  // 16 hex digits: the first eight bytes.
  const std::string hex = net::Sha256Hex(text).substr(0, 16);
  std::string bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    unsigned value = 0;
    std::from_chars(hex.data() + at, hex.data() + at + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return EncodeBase64(bytes);
}

}  // namespace

Discovery::Discovery(std::span<const Resource> resources, std::string_view server_address) {
  const std::vector<ApiGroup> all = Grouped(resources);
  std::vector<const ApiGroup*> core;
  std::vector<const ApiGroup*> named;
  for (const ApiGroup& group : all) {
    (group.name.empty() ? core : named).push_back(&group);
    if (!group.name.empty()) group_.emplace(group.name, OneGroup(group));
    for (const ApiVersion& version : group.versions) {
      version_.emplace(api::ApiVersionOf(group.name, version.name),
                       ResourceList(group.name, version));
    }
  }
  core_.emplace(Form::Plain, CoreVersions(core.empty() ? nullptr : core.front(), server_address));
  groups_.emplace(Form::Plain, GroupList(named));
  for (const auto& [form, version] :
       {std::pair(Form::AggregatedV2, "apidiscovery.k8s.io/v2"),
        std::pair(Form::AggregatedV2Beta1, "apidiscovery.k8s.io/v2beta1")}) {
    core_.emplace(form, Aggregated(core, version));
    groups_.emplace(form, Aggregated(named, version));
  }
}

Discovery::Form Discovery::FormOf(std::string_view accept) {
  for (const MediaRange& range : ParseAccept(accept)) {
    if (!range.Covers("application/json")) continue;
    if (range.Parameter("as").empty()) return Form::Plain;
    if (range.Parameter("as") != "APIGroupDiscoveryList" ||
        range.Parameter("g") != "apidiscovery.k8s.io") {
      continue;
    }
    if (range.Parameter("v") == "v2") return Form::AggregatedV2;
    if (range.Parameter("v") == "v2beta1") return Form::AggregatedV2Beta1;
  }
  return Form::Plain;
}

std::string_view Discovery::ContentType(Form form) {
  switch (form) {
    case Form::Plain:
      break;
    case Form::AggregatedV2:
      return "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    case Form::AggregatedV2Beta1:
      return "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
  }
  return "application/json";
}

const DiscoveryDocument* Discovery::Group(std::string_view group) const {
  return Find(group_, group);
}

const DiscoveryDocument* Discovery::Version(std::string_view group,
                                            std::string_view version) const {
  return Find(version_, api::ApiVersionOf(group, version));
}

}  // namespace plimsoll::apiserver
