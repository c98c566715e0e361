#include "controller/workload/deletable_kinds.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "api/schema/schema.h"

namespace plimsoll::controller {
namespace {

bool Has(const api::KindDesc& kind, std::string_view verb) {
  return std::ranges::find(kind.verbs, verb) != kind.verbs.end();
}

/// Sort key of a version: v2 is better than v1, then v1beta2, then v1alpha3.
auto VersionRank(std::string_view version) {
  const int stage = version.contains("alpha") ? 0 : version.contains("beta") ? 1 : 2;
  return std::tuple(stage, version.size(), version);
}

}  // namespace

std::vector<WatchedKind> DeletableKinds() {
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> best;
  for (const api::KindDesc& kind : api::AllKinds()) {
    if (kind.plural.empty() || kind.kind == "Event") continue;
    if (!Has(kind, "list") || !Has(kind, "watch") || !Has(kind, "delete")) continue;
    std::string_view& version = best[{kind.group, kind.kind}];
    if (version.empty() || VersionRank(version) < VersionRank(kind.version)) version = kind.version;
  }
  std::vector<WatchedKind> kinds;
  for (const auto& [name, version] : best) {
    kinds.push_back({name.first, version, name.second});
  }
  return kinds;
}

}  // namespace plimsoll::controller
