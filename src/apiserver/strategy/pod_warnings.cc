#include "apiserver/strategy/pod_warnings.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "apiserver/strategy/object_editor.h"
#include "base/syntax.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

struct OldLabel {
  std::string_view key;
  std::string_view remark;
};
constexpr std::array kOldLabels = {
    OldLabel{"beta.kubernetes.io/arch",
             R"(deprecated since v1.14; use "kubernetes.io/arch" instead)"},
    OldLabel{"beta.kubernetes.io/os", R"(deprecated since v1.14; use "kubernetes.io/os" instead)"},
    OldLabel{"failure-domain.beta.kubernetes.io/region",
             R"(deprecated since v1.17; use "topology.kubernetes.io/region" instead)"},
    OldLabel{"failure-domain.beta.kubernetes.io/zone",
             R"(deprecated since v1.17; use "topology.kubernetes.io/zone" instead)"},
    OldLabel{"beta.kubernetes.io/instance-type",
             R"(deprecated since v1.17; use "node.kubernetes.io/instance-type" instead)"},
};

std::string_view RemarkOf(std::string_view key) {
  for (const OldLabel& label : kOldLabels) {
    if (label.key == key) return label.remark;
  }
  return {};
}

class Warner {
 public:
  explicit Warner(std::vector<std::string>& warnings) : warnings_(warnings) {}

  /// `at` is the path of the spec.
  void Spec(const Value& spec, const std::string& at) {
    for (const codec::Member& member : MembersOf(spec.Find("nodeSelector"))) {
      const std::string_view remark = RemarkOf(member.key);
      if (remark.empty()) continue;
      warnings_.push_back(fmt::format("{}.nodeSelector[{}]: {}", at, member.key, remark));
    }
    if (const Value* affinity = FindAt(spec, "affinity", "nodeAffinity")) {
      NodeAffinity(*affinity, at + ".affinity.nodeAffinity.");
    }
    std::size_t index = 0;
    for (const Value& constraint : ItemsOf(spec.Find("topologySpreadConstraints"))) {
      Key(TextAt(constraint, "topologyKey"),
          fmt::format("{}.topologySpreadConstraints[{}].topologyKey", at, index++));
    }
    const Value* grace = spec.Find("terminationGracePeriodSeconds");
    if (grace != nullptr && grace->AsInt() < 0) {
      warnings_.push_back(fmt::format(
          "{}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be "
          "treated as 1",
          at));
    }
  }

 private:
  static std::span<const Value> ItemsOf(const Value* list) {
    return list == nullptr ? std::span<const Value>() : list->items();
  }
  static std::span<const codec::Member> MembersOf(const Value* map) {
    return map == nullptr ? std::span<const codec::Member>() : map->members();
  }

  void Key(std::string_view key, const std::string& at) {
    const std::string_view remark = RemarkOf(key);
    if (!remark.empty()) warnings_.push_back(fmt::format("{}: {} is {}", at, key, remark));
  }

  void Term(const Value& term, const std::string& at) {
    std::size_t index = 0;
    for (const Value& requirement : ItemsOf(term.Find("matchExpressions"))) {
      Key(TextAt(requirement, "key"), fmt::format("{}.matchExpressions[{}].key", at, index++));
    }
  }

  void NodeAffinity(const Value& affinity, const std::string& at) {
    constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
    constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
    std::size_t index = 0;
    for (const Value& term : ItemsOf(FindAt(affinity, kRequired, "nodeSelectorTerms"))) {
      Term(term, fmt::format("{}{}.nodeSelectorTerms[{}]", at, kRequired, index++));
    }
    index = 0;
    for (const Value& preferred : ItemsOf(affinity.Find(kPreferred))) {
      if (const Value* term = preferred.Find("preference")) {
        Term(*term, fmt::format("{}{}[{}].preference", at, kPreferred, index));
      }
      ++index;
    }
  }

  std::vector<std::string>& warnings_;
};

}  // namespace

void WarnAboutPod(const Resource& resource, const Value& tree, std::vector<std::string>& warnings) {
  Warner warner(warnings);
  if (resource.group().empty() && resource.name() == "pods") {
    const Faults faults = CheckDns1123Label(TextAt(tree, "metadata", "name"));
    if (!faults.empty()) {
      warnings.push_back(fmt::format(
          "metadata.name: this is used in the Pod's hostname, which can result in surprising "
          "behavior; a DNS label is recommended: [{}]",
          fmt::join(faults, " ")));
    }
    if (const Value* spec = tree.Find("spec")) warner.Spec(*spec, "spec");
    return;
  }
  const bool has_template = resource.group() == "apps" || resource.group() == "batch" ||
                            resource.name() == "replicationcontrollers";
  if (!has_template) return;
  if (const Value* spec = FindAt(tree, "spec", "template", "spec")) {
    warner.Spec(*spec, "spec.template.spec");
  }
}

}  // namespace plimsoll::apiserver
