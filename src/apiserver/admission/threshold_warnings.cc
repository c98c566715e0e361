#include "apiserver/admission/threshold_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "api/decode/decode.h"
#include "apiserver/strategy/object_editor.h"
#include "base/go_text.h"
#include "match/hint.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::array<std::string_view, 5> kThresholds = {"Gt", "Lt", "SemverGt", "SemverLt",
                                                         "SemverEq"};

/// Path of the pod spec in kinds that contain one.
struct SpecRow {
  std::string_view kind;
  std::string_view path;
};
constexpr std::array kSpecs = {
    SpecRow{"Pod", "spec"},
    SpecRow{"Deployment", "spec.template.spec"},
    SpecRow{"ReplicaSet", "spec.template.spec"},
    SpecRow{"StatefulSet", "spec.template.spec"},
    SpecRow{"DaemonSet", "spec.template.spec"},
    SpecRow{"Job", "spec.template.spec"},
};

const codec::Value* PodSpecOf(const codec::Value& tree, std::string_view path) {
  return path == "spec" ? tree.Find("spec") : FindAt(tree, "spec", "template", "spec");
}

bool HasThreshold(const codec::Value* requirements) {
  if (requirements == nullptr) return false;
  return std::ranges::any_of(requirements->items(), [](const codec::Value& item) {
    return std::ranges::find(kThresholds, TextAt(item, "operator")) != kThresholds.end();
  });
}

bool HasThresholdTerm(const codec::Value* terms) {
  if (terms == nullptr) return false;
  return std::ranges::any_of(terms->items(), [](const codec::Value& term) {
    const codec::Value* preference = term.Find("preference");
    const codec::Value& inner = preference == nullptr ? term : *preference;
    return HasThreshold(inner.Find("matchExpressions"));
  });
}

/// Quick check: most pods use no comparison operator.
bool Compares(const codec::Value& spec) {
  if (HasThreshold(spec.Find("tolerations"))) return true;
  const codec::Value* affinity = FindAt(spec, "affinity", "nodeAffinity");
  if (affinity == nullptr) return false;
  return HasThresholdTerm(FindAt(*affinity, "requiredDuringSchedulingIgnoredDuringExecution",
                                 "nodeSelectorTerms")) ||
         HasThresholdTerm(affinity->Find("preferredDuringSchedulingIgnoredDuringExecution"));
}

/// Warns, because a scheduler that does not know `expression` sees an empty toleration.
void WarnOfOtherScheduler(const codec::Value& spec, std::string_view path,
                          std::vector<std::string>& warnings) {
  constexpr std::string_view kOurs = "default-scheduler";
  const std::string_view scheduler = TextAt(spec, "schedulerName");
  const codec::Value* const tolerations = spec.Find("tolerations");
  if (scheduler.empty() || scheduler == kOurs || tolerations == nullptr) return;
  for (std::size_t i = 0; i < tolerations->items().size(); ++i) {
    if (TextAt(tolerations->items()[i], "expression").empty()) continue;
    warnings.push_back(
        fmt::format("{}.tolerations[{}].expression: scheduler {} must be Plimsoll's; an upstream "
                    "scheduler does "
                    "not know the field and reads a toleration of every taint without a value",
                    path, i, GoQuote(scheduler)));
  }
}

}  // namespace

/// Values of all nodes by taint or label key, with the number of nodes per value.
class ThresholdWarnings::Published final : public match::NodeValues {
 public:
  Published(Cache& cache, const Resource& nodes)
      : nodes_(nodes),
        follower_(cache,
                  {{.resource = &nodes,
                    .clear = [this] { Clear(); },
                    .apply = [this](const CacheEvent& event) { Apply(event); }}},
                  [] {}) {}

  std::vector<match::PublishedValue> OfTaints(const api::Toleration& toleration) const override {
    std::vector<match::PublishedValue> values;
    const auto collect = [&](const std::map<Value, Holder>& of_key) {
      for (const auto& [value, holder] : of_key) {
        if (toleration.effect.empty() || toleration.effect == value.effect) {
          values.push_back({value.text, holder.node});
        }
      }
    };
    if (toleration.key.empty()) {
      for (const auto& [key, of_key] : taints_) collect(of_key);
    } else if (const auto found = taints_.find(toleration.key); found != taints_.end()) {
      collect(found->second);
    }
    return values;
  }

  std::vector<match::PublishedValue> OfLabel(std::string_view key) const override {
    std::vector<match::PublishedValue> values;
    const auto found = labels_.find(key);
    if (found == labels_.end()) return values;
    for (const auto& [value, holder] : found->second) values.push_back({value.text, holder.node});
    return values;
  }

  const Resource& nodes() const { return nodes_; }

  /// Hold the lock while you use the values: they are views.
  std::shared_lock<std::shared_mutex> Lock() {
    follower_.Refresh();
    return std::shared_lock(mutex_);
  }

 private:
  struct Value {
    std::string text;
    std::string effect;  // of a taint
    friend auto operator<=>(const Value&, const Value&) = default;
  };
  struct Holder {
    int count = 0;
    std::string node;  // the first node, for the message
  };
  using ByKey = std::map<std::string, std::map<Value, Holder>, std::less<>>;

  void Clear() {
    const std::unique_lock lock(mutex_);
    taints_.clear();
    labels_.clear();
  }

  void Apply(const CacheEvent& event) {
    const std::unique_lock lock(mutex_);
    if (event.before != nullptr) Count(*event.before, -1);
    if (event.now != nullptr) Count(*event.now, 1);
  }

  void Count(const StoredObject& stored, int by) {
    const auto object = stored.Decode();
    if (!object) return;
    const auto* node = (*object)->As<api::Node>();
    if (node == nullptr) return;
    for (const api::Taint& taint : node->spec.taints) {
      Add(taints_, taint.key, {std::string(taint.value), std::string(taint.effect)}, stored.name(),
          by);
    }
    for (const auto& [key, value] : node->metadata.labels) {
      Add(labels_, key, {std::string(value), {}}, stored.name(), by);
    }
  }

  static void Add(ByKey& map, std::string_view key, Value value, std::string_view node, int by) {
    auto& of_key = map.try_emplace(std::string(key)).first->second;
    const auto holder = of_key.try_emplace(std::move(value)).first;
    if (holder->second.count == 0) holder->second.node = node;
    holder->second.count += by;
    if (holder->second.count <= 0) of_key.erase(holder);
  }

  const Resource& nodes_;
  mutable std::shared_mutex mutex_;
  ByKey taints_;
  ByKey labels_;
  CacheFollower follower_;  // last: destroyed before the members its calls use
};

ThresholdWarnings::ThresholdWarnings(Cache& cache, const Resource& nodes,
                                     const Authorizer& authorizer)
    : authorizer_(authorizer), published_(std::make_unique<Published>(cache, nodes)) {}
ThresholdWarnings::~ThresholdWarnings() = default;

api::Answer<void> ThresholdWarnings::Validate(const AdmissionAttributes& attributes) {
  if (attributes.document == nullptr || !attributes.subresource.empty()) return {};
  const auto* row = std::ranges::find(kSpecs, attributes.kind->kind, &SpecRow::kind);
  if (row == kSpecs.end()) return {};
  const codec::Value* tree = PodSpecOf(attributes.document->root(), row->path);
  if (tree == nullptr) return {};
  WarnOfOtherScheduler(*tree, row->path, *attributes.warnings);
  if (!Compares(*tree)) return {};
  if (!MayRead(authorizer_, *attributes.user, "get", published_->nodes())) return {};
  api::PodSpec spec;
  api::Decode(*tree, spec);
  const auto lock = published_->Lock();
  for (const match::Hint& hint :
       match::PodHints(spec, api::FieldPath(std::string(row->path)), *published_)) {
    const bool is_for_clients = hint.kind == match::HintKind::StrictThreshold ||
                                hint.kind == match::HintKind::PrereleaseTrap;
    if (is_for_clients) attributes.warnings->push_back(hint.field + ": " + hint.message);
  }
  return {};
}

}  // namespace plimsoll::apiserver
