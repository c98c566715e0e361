#include "apiserver/resource/resource.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "apiserver/resource/metrics_resources.h"
#include "apiserver/strategy/strategy.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kRoot = "/registry/";

/// Sub-resources that need containers or controllers which this server does not have.
constexpr std::array<std::string_view, 4> kUnservedSubresources = {
    "proxy",
    "ephemeralcontainers",
    "resize",
    "approval",
};
constexpr std::array<std::string_view, 1> kUnservedResources = {"componentstatuses"};

template <class Range, class T>
bool Contains(const Range& range, const T& value) {
  return std::ranges::find(range, value) != std::ranges::end(range);
}

std::string PrefixOf(const api::KindDesc& kind) {
  const std::string_view prefix = StrategyOf(kind).store_prefix;
  return fmt::format("{}{}/", kRoot, prefix.empty() ? kind.plural : prefix);
}

/// Returns the kind in which all versions are stored: v1 if there is one.
const api::KindDesc* StoredKind(const api::KindDesc& kind) {
  // Events of the core group and of events.k8s.io are the same objects.
  if (kind.group == "events.k8s.io") return api::FindKind("", "v1", "Event");
  const api::KindDesc* stable = api::FindKind(kind.group, "v1", kind.kind);
  return stable != nullptr ? stable : &kind;
}

Resource MakeResource(const api::KindDesc& kind) {
  Resource resource;
  resource.kind = &kind;
  resource.is_review = !Contains(kind.verbs, std::string_view("get"));
  resource.stored = resource.is_review ? &kind : StoredKind(kind);
  if (!resource.is_review) resource.prefix = PrefixOf(kind);
  for (const api::SubresourceDesc& subresource : kind.subresources) {
    if (!Contains(kUnservedSubresources, subresource.name)) {
      resource.subresources.push_back(subresource.name);
    }
  }
  return resource;
}

}  // namespace

bool Resource::Serves(std::string_view subresource) const {
  return Contains(subresources, subresource);
}

bool Resource::Allows(std::string_view verb) const { return Contains(kind->verbs, verb); }

std::string Resource::KeyOf(std::string_view namespace_, std::string_view object) const {
  std::string key = prefix;
  if (kind->is_namespaced) {
    key += namespace_;
    key += '/';
  }
  key += object;
  return key;
}

ResourceTable::ResourceTable(const RuntimeConfig& config) {
  for (const api::KindDesc& kind : api::AllKinds()) {
    if (kind.plural.empty() || Contains(kUnservedResources, kind.plural)) continue;
    resources_.push_back(MakeResource(kind));
    resources_.back().is_served = config.Serves(kind.group, kind.version, kind.plural);
  }
  std::ranges::sort(resources_, [](const Resource& a, const Resource& b) {
    return std::tuple(a.kind->group, a.kind->version, a.kind->plural) <
           std::tuple(b.kind->group, b.kind->version, b.kind->plural);
  });
  std::ranges::copy_if(resources_, std::back_inserter(served_), &Resource::is_served);
  for (const api::KindDesc& kind : MetricsKinds()) {
    Resource& row = metrics_.emplace_back();
    row.kind = row.stored = &kind;
    row.is_served = config.Serves(kind.group, kind.version, kind.plural);
  }
  discovered_ = served_;
  std::ranges::copy_if(metrics_, std::back_inserter(discovered_), &Resource::is_served);
}

const Resource* ResourceTable::Find(std::string_view group, std::string_view version,
                                    std::string_view plural) const {
  const auto key = [](const Resource& row) {
    return std::tuple(row.kind->group, row.kind->version, row.kind->plural);
  };
  const auto wanted = std::tuple(group, version, plural);
  const auto found = std::ranges::lower_bound(resources_, wanted, {}, key);
  if (found != resources_.end() && key(*found) == wanted) return &*found;
  const auto metrics = std::ranges::find(metrics_, wanted, key);
  return metrics == metrics_.end() ? nullptr : &*metrics;
}

const Resource* ResourceTable::FindKind(std::string_view group, std::string_view version,
                                        std::string_view kind) const {
  const auto found = std::ranges::find_if(resources_, [&](const Resource& row) {
    return row.kind->group == group && row.kind->version == version && row.kind->kind == kind;
  });
  return found == resources_.end() ? nullptr : &*found;
}

const Resource* ResourceTable::OfKey(std::string_view key) const {
  // No stored resource has a prefix that begins with the prefix of another.
  const auto found = std::ranges::find_if(resources_, [&](const Resource& row) {
    return row.is_stored() && row.kind == row.stored && key.starts_with(row.prefix);
  });
  return found == resources_.end() ? nullptr : &*found;
}

}  // namespace plimsoll::apiserver
