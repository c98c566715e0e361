#include <array>
#include <string>

#include "apiserver/strategy/kinds.h"
#include "base/go_text.h"

namespace plimsoll::apiserver::kinds {
namespace {

using codec::Value;

constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

void SetTemplateGeneration(const ObjectEditor& set, std::int64_t generation) {
  set.Child("metadata")
      .Child("annotations")
      .SetText(kTemplateGeneration, std::to_string(generation));
}

}  // namespace

// A DaemonSet counts the changes of its template separately. Since apps/v1 the count is in an
// annotation.
api::Answer<void> CreateDaemonSet(const StrategyContext&, ObjectEditor set) {
  const Result<std::int64_t> given =
      GoParseInt(TextAt(set.value(), "metadata", "annotations", kTemplateGeneration));
  SetTemplateGeneration(set, given && *given > 0 ? *given : 1);
  return {};
}

api::Answer<void> UpdateDaemonSet(const StrategyContext&, ObjectEditor set, const Value& before) {
  const Result<std::int64_t> count =
      GoParseInt(TextAt(before, "metadata", "annotations", kTemplateGeneration));
  const Value* now = set.Find("spec");
  const Value* then = before.Find("spec");
  const bool is_changed = now != nullptr && then != nullptr && !SameAt(*now, *then, "template");
  SetTemplateGeneration(set, count.value_or(0) + (is_changed ? 1 : 0));
  return {};
}

// Unless manualSelector is set, a Job selects the pods that have its uid as a label.
api::Answer<void> CreateJob(const StrategyContext&, ObjectEditor job) {
  const ObjectEditor spec = job.Child("spec");
  if (spec.Bool("manualSelector")) return {};
  const std::string_view uid = TextAt(job.value(), "metadata", "uid");
  const std::string_view name = TextAt(job.value(), "metadata", "name");
  struct Label {
    std::string_view key;
    std::string_view value;
  };
  const std::array labels = {Label{"batch.kubernetes.io/controller-uid", uid},
                             Label{"batch.kubernetes.io/job-name", name},
                             Label{"controller-uid", uid}, Label{"job-name", name}};
  for (const Label& label : labels) {
    const ObjectEditor written = spec.Child("template").Child("metadata").Child("labels");
    // Validation rejects a label with another value.
    if (!written.Has(label.key)) written.SetText(label.key, label.value);
  }
  const ObjectEditor selected = spec.Child("selector").Child("matchLabels");
  if (!selected.Has(labels[0].key)) selected.SetText(labels[0].key, uid);
  return {};
}

}  // namespace plimsoll::apiserver::kinds
