#include "cli/tolerations/placement_objects.h"

#include <algorithm>
#include <tuple>

#include "api/core/pod_phase.h"
#include "api/selector/selector.h"
#include "base/suggest.h"
#include "cli/explain/cluster_reader.h"
#include "cli/manifest/manifest_files.h"
#include "service/expression_evaluators.h"

namespace plimsoll::cli {
namespace {

void Add(const ObjectPtr& object, PlacementObjects& out) {
  const auto* const pod = object->As<api::Pod>();
  if (pod != nullptr && !IsPodTerminal(*pod)) out.pods.push_back(object);
  if (object->As<api::Node>() != nullptr) out.nodes.push_back(object);
}

bool ByName(const ObjectPtr& a, const ObjectPtr& b) {
  return std::tuple(a->metadata().namespace_, a->metadata().name) <
         std::tuple(b->metadata().namespace_, b->metadata().name);
}

}  // namespace

Result<PlacementObjects> ReadPlacementObjects(const std::vector<std::string>& files,
                                              const std::string& kubeconfig,
                                              const std::string& kube_context, Clock& clock,
                                              Context& context) {
  PlacementObjects out;
  if (files.empty()) {
    const ClusterReader server = PL_TRY(ClusterReader::Connect(kubeconfig, kube_context, clock));
    out.namespace_ = server.namespace_();
    for (const api::WatchedKind& kind :
         {api::WatchedKind{"", "v1", "Pod"}, api::WatchedKind{"", "v1", "Node"}}) {
      for (const ObjectPtr& object : PL_TRY(server.List(kind, {}))) Add(object, out);
    }
  } else {
    for (const Manifest& manifest : PL_TRY(ReadValidManifests(files, {}, context))) {
      Add(manifest.object, out);
    }
  }
  std::ranges::sort(out.pods, ByName);
  std::ranges::sort(out.nodes, ByName);
  return out;
}

Result<match::Rules> RulesOf(const std::string& feature_gates) {
  api::FeatureGates gates;
  PL_TRY(gates.Apply(feature_gates));
  return match::Rules::From(gates, &service::EvaluatorOf(service::ExpressionUser::CommandLine));
}

Result<std::vector<ObjectPtr>> SelectObjects(const std::vector<ObjectPtr>& objects,
                                             const std::vector<std::string>& names,
                                             const std::string& selector, std::string_view word) {
  const api::Selector wanted = PL_TRY(api::Selector::Parse(selector));
  std::vector<ObjectPtr> selected;
  for (const ObjectPtr& object : objects) {
    const bool is_named =
        names.empty() || std::ranges::find(names, object->metadata().name) != names.end();
    if (is_named && wanted.Matches(object->metadata().labels)) selected.push_back(object);
  }
  for (const std::string& name : names) {
    std::vector<std::string> known;
    for (const ObjectPtr& object : objects) known.emplace_back(object->metadata().name);
    if (std::ranges::find(known, name) != known.end()) continue;
    std::string message = "no " + std::string(word) + " \"" + name + "\"";
    if (const auto nearest = Nearest(name, known)) message += "; did you mean " + *nearest + "?";
    return Fail(Reason::NotFound, std::move(message));
  }
  return selected;
}

}  // namespace plimsoll::cli
