#include "scheduler/plugins/pod_terms.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

Result<PodTerm> ReadTerm(const api::PodAffinityTerm& source, std::string_view pod_namespace) {
  PodTerm term;
  term.selector =
      PL_TRY(api::Selector::FromObject(source.label_selector ? &*source.label_selector : nullptr));
  term.namespace_selector = PL_TRY(
      api::Selector::FromObject(source.namespace_selector ? &*source.namespace_selector : nullptr));
  term.namespaces.assign(source.namespaces.begin(), source.namespaces.end());
  if (source.namespaces.empty() && !source.namespace_selector) {
    term.namespaces.emplace_back(pod_namespace);
  }
  std::ranges::sort(term.namespaces);
  const auto repeated = std::ranges::unique(term.namespaces);
  term.namespaces.erase(repeated.begin(), repeated.end());
  term.topology_key = source.topology_key;
  return term;
}

class Reader {
 public:
  explicit Reader(std::string_view pod_namespace) : namespace_(pod_namespace) {}

  std::vector<PodTerm> Required(const std::vector<api::PodAffinityTerm>& sources,
                                std::string_view what) {
    std::vector<PodTerm> terms;
    for (const api::PodAffinityTerm& source : sources) {
      Result<PodTerm> term = ReadTerm(source, namespace_);
      if (!term) {
        Note(what, term.error());
        return {};
      }
      terms.push_back(*std::move(term));
    }
    return terms;
  }

  void Preferred(const std::vector<api::WeightedPodAffinityTerm>& sources, std::int64_t sign,
                 std::string_view what, std::vector<WeightedPodTerm>& out) {
    std::vector<WeightedPodTerm> terms;
    for (const api::WeightedPodAffinityTerm& source : sources) {
      Result<PodTerm> term = ReadTerm(source.term, namespace_);
      if (!term) return Note(what, term.error());
      terms.push_back({*std::move(term), sign * source.weight});
    }
    std::ranges::move(terms, std::back_inserter(out));
  }

  std::string Faults() const {
    if (faults_.size() < 2) return faults_.empty() ? "" : faults_.front();
    std::string text = "[";
    for (const std::string& fault : faults_) text += (text.size() > 1 ? ", " : "") + fault;
    return text + "]";
  }

 private:
  void Note(std::string_view what, const Error& error) {
    faults_.push_back(std::string(what) + ": " + error.message);
  }

  std::string_view namespace_;
  std::vector<std::string> faults_;
};

void AppendText(std::string_view text, std::string& key) {
  key.append(std::to_string(text.size())).append(":").append(text);
}

void AppendSelector(const api::Selector& selector, std::string& key) {
  key += selector.is_selectable() ? '+' : '-';
  AppendText(selector.Text(), key);
}

}  // namespace

bool PodTerm::Matches(std::string_view pod_namespace, const api::StringMap& namespace_labels,
                      const api::StringMap& labels) const {
  const bool is_named = std::ranges::binary_search(namespaces, pod_namespace, std::less<>());
  return (is_named || namespace_selector.Matches(namespace_labels)) && selector.Matches(labels);
}

bool PodTerm::Matches(const ObjectTable& known_namespaces, std::string_view pod_namespace,
                      const api::StringMap& labels) const {
  static const api::StringMap kNone;
  return Matches(
      pod_namespace,
      NeedsNamespaceLabels() ? LabelsOfNamespace(known_namespaces, pod_namespace) : kNone, labels);
}

void PodTerm::Unroll(const ObjectTable& known_namespaces) {
  if (!NeedsNamespaceLabels()) return;
  std::vector<std::string_view> matching;
  known_namespaces.ForEach([&](const ObjectPtr& object) {
    if (matching.size() <= kNamespacesOfTermMax &&
        namespace_selector.Matches(object->metadata().labels)) {
      matching.push_back(object->metadata().name);
    }
  });
  if (matching.size() > kNamespacesOfTermMax) return;
  namespaces.insert(namespaces.end(), matching.begin(), matching.end());
  std::ranges::sort(namespaces);
  const auto repeated = std::ranges::unique(namespaces);
  namespaces.erase(repeated.begin(), repeated.end());
  namespace_selector = api::Selector::Nothing();
}

void PodTerm::AppendKey(std::string& key) const {
  for (const std::string& name : namespaces) AppendText(name, key);
  AppendSelector(namespace_selector, key);
  AppendSelector(selector, key);
  AppendText(topology_key, key);
}

PodTerms ReadPodTerms(const ClassView& pod) {
  PodTerms terms;
  const api::PodAffinity none;
  const api::PodAffinity& near = pod.pod_affinity != nullptr ? *pod.pod_affinity : none;
  const api::PodAffinity& apart = pod.pod_anti_affinity != nullptr ? *pod.pod_anti_affinity : none;
  Reader reader(pod.namespace_);
  terms.affinity = reader.Required(near.required, "requiredAffinityTerms");
  terms.anti_affinity = reader.Required(apart.required, "requiredAntiAffinityTerms");
  reader.Preferred(near.preferred, 1, "preferredAffinityTerms", terms.preferred);
  reader.Preferred(apart.preferred, -1, "preferredAntiAffinityTerms", terms.preferred);
  terms.error = reader.Faults();
  return terms;
}

const api::StringMap& LabelsOfNamespace(const ObjectTable& namespaces, std::string_view name) {
  static const api::StringMap kNone;
  const ObjectPtr found = namespaces.Find({}, name);
  return found == nullptr ? kNone : found->metadata().labels;
}

}  // namespace plimsoll::scheduler
