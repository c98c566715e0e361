#include "dra/make_allocation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text/uuid.h"

namespace plimsoll::dra {
namespace {

/// Returns a random UUID (RFC 4122).
std::string NewShareId(Random& random) {
  const std::uint64_t high = random.Next();
  return RandomUuid(high, random.Next());
}

using api::NodeSelectorRequirement;
using ObjectPtr = std::shared_ptr<const api::Object>;

std::string_view Kept(Allocation& allocation, std::string text) {
  return *allocation.texts.emplace_back(std::make_shared<const std::string>(std::move(text)));
}

/// Returns the request's details in the claim itself. Claims that share a compiled set may differ
/// in tolerationSeconds and configs.
const api::DeviceRequestDetails& DetailsOf(const api::ResourceClaim& claim, std::size_t request,
                                           std::size_t alternative) {
  const api::DeviceRequest& source = claim.spec.requests[request];
  return source.first_available.empty() ? *source.exactly : source.first_available[alternative];
}

bool HasRequirement(const std::vector<NodeSelectorRequirement>& list,
                    const NodeSelectorRequirement& wanted) {
  auto sorted = [](const NodeSelectorRequirement& one) {
    std::vector<std::string_view> values = one.values;
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    return values;
  };
  return std::ranges::any_of(list, [&](const NodeSelectorRequirement& one) {
    return one.key == wanted.key && one.op == wanted.op && sorted(one) == sorted(wanted);
  });
}

void AddNew(const std::vector<NodeSelectorRequirement>& from,
            std::vector<NodeSelectorRequirement>& to) {
  for (const NodeSelectorRequirement& one : from) {
    if (!HasRequirement(to, one)) to.push_back(one);
  }
}

/// Builds the allocation of one claim.
class Maker {
 public:
  Maker(Search& search, const ClaimSet& claims, std::size_t claim, const NodePools& pools,
        const ObjectPtr& node)
      : search_(search),
        set_(claims.compiled()),
        plan_(set_.claims[claim]),
        number_(claim),
        claim_(*claims.claims()[claim]->As<api::ResourceClaim>()),
        pools_(pools),
        node_(node) {
    out_.objects = {claims.claims()[claim], node};
    out_.claims = claims.shared();
  }

  void AddResult(const Pick& pick, Random& random) {
    const Candidate& candidate = pools_.devices[pick.device];
    const api::ResourceSlice& slice = *candidate.tracked->slice->view;
    const api::Device& device = candidate.device();
    const AlternativePlan& plan = plan_.requests[pick.request].alternatives[pick.alternative];
    const api::DeviceRequestDetails& details = DetailsOf(claim_, pick.request, pick.alternative);
    out_.objects.push_back(candidate.tracked->slice->object);
    api::DeviceResult& result = out_.result.results.emplace_back();
    result.request = plan.full_name;
    result.driver = slice.driver;
    result.pool = slice.pool.name;
    result.device = device.name;
    result.admin_access = details.admin_access;
    result.tolerations = details.tolerations;
    out_.tolerations.push_back(details.tolerations.empty() ? nullptr : details.tolerations_source);
    result.binding_conditions = device.binding_conditions;
    result.binding_failure_conditions = device.binding_failure_conditions;
    if (candidate.is_shareable) {
      result.share_id = Kept(out_, NewShareId(random));
      result.consumed_capacity = search_.AmountsOf(pick);
    }
    devices_.push_back(&candidate);
  }

  void AddConfigs() {
    AddClassConfigs();
    for (const api::DeviceConfig& config : claim_.spec.config) AddClaimConfig(config);
    for (AllocatedConfig& config : out_.config) {
      // An empty list means all requests.
      if (config.requests.size() == claim_.spec.requests.size()) config.requests.clear();
    }
  }

  /// Returns an error if a node selector has more than one term.
  std::optional<std::string> AddNodeSelector() {
    api::NodeSelectorTerm term;
    for (const Candidate* const candidate : devices_) {
      const api::ResourceSlice& slice = *candidate->tracked->slice->view;
      const api::NodeSelection& nodes =
          slice.per_device_node_selection ? candidate->device().nodes : slice.nodes;
      if (nodes.node_name || candidate->device().binds_to_node) {
        out_.result.node_selector = {
            {{.match_expressions = {},
              .match_fields = {{"metadata.name", "In", {node_->metadata().name}}}}}};
        return std::nullopt;
      }
      if (!nodes.node_selector || nodes.node_selector->terms.empty()) continue;
      if (nodes.node_selector->terms.size() > 1) {
        return "create NodeSelector for claim " + std::string(claim_.metadata.name) +
               ": unsupported ResourceSlice.NodeSelector with " +
               std::to_string(nodes.node_selector->terms.size()) + " terms";
      }
      AddNew(nodes.node_selector->terms[0].match_fields, term.match_fields);
      AddNew(nodes.node_selector->terms[0].match_expressions, term.match_expressions);
    }
    if (!term.match_fields.empty() || !term.match_expressions.empty()) {
      out_.result.node_selector = {{std::move(term)}};
    }
    return std::nullopt;
  }

  Allocation Take() { return std::move(out_); }

 private:
  /// Adds the configs of each class once, for all requests that got this class.
  void AddClassConfigs() {
    std::map<std::string_view, std::pair<std::size_t, std::size_t>> places;
    for (std::size_t i = 0; i < plan_.requests.size(); ++i) {
      const AlternativePlan& plan = plan_.requests[i].alternatives[search_.ChosenFor(number_, i)];
      const auto& class_view = *plan.device_class->As<api::DeviceClass>();
      const std::size_t begin = out_.config.size();
      const auto [place, is_new] =
          places.try_emplace(class_view.metadata.name, begin, begin + class_view.config.size());
      if (is_new && !class_view.config.empty()) {
        out_.objects.push_back(plan.device_class);
        for (const api::DeviceConfig& config : class_view.config) {
          out_.config.push_back({.is_from_class = true, .requests = {}, .config = &config});
        }
      }
      for (std::size_t k = place->second.first; k < place->second.second; ++k) {
        out_.config[k].requests.push_back(plan.full_name);
      }
    }
  }
  void AddClaimConfig(const api::DeviceConfig& config) {
    AllocatedConfig entry{.is_from_class = false, .requests = {}, .config = &config};
    entry.requests.assign(config.requests.begin(), config.requests.end());
    if (config.requests.empty()) {
      out_.config.push_back(std::move(entry));
      return;
    }
    // Add it once for each request that it names.
    for (std::size_t i = 0; i < plan_.requests.size(); ++i) {
      const std::string& full_name =
          plan_.requests[i].alternatives[search_.ChosenFor(number_, i)].full_name;
      const std::string_view name = claim_.spec.requests[i].name;
      if (std::ranges::find(config.requests, name) != config.requests.end() ||
          std::ranges::find(config.requests, full_name) != config.requests.end()) {
        out_.config.push_back(entry);
      }
    }
  }

  Search& search_;
  const CompiledClaims& set_;
  const ClaimPlan& plan_;
  std::size_t number_;
  const api::ResourceClaim& claim_;
  const NodePools& pools_;
  const ObjectPtr& node_;
  std::vector<const Candidate*> devices_;
  Allocation out_;
};

}  // namespace

std::expected<std::vector<Allocation>, std::string> MakeAllocations(Search& search,
                                                                    const ClaimSet& claims,
                                                                    const NodePools& pools,
                                                                    const ObjectPtr& node,
                                                                    Random& random) {
  std::vector<Allocation> allocations;
  std::span<const Pick> picks = search.picks();
  for (std::size_t i = 0; i < claims.claims().size(); ++i) {
    Maker maker(search, claims, i, pools, node);
    for (; !picks.empty() && picks.front().claim == i; picks = picks.subspan(1)) {
      maker.AddResult(picks.front(), random);
    }
    maker.AddConfigs();
    if (auto error = maker.AddNodeSelector()) return std::unexpected(*std::move(error));
    allocations.push_back(maker.Take());
  }
  return allocations;
}

}  // namespace plimsoll::dra
