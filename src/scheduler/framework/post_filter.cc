#include <utility>

#include "scheduler/framework/framework.h"

namespace plimsoll::scheduler {

PostFilterOutcome Framework::PostFilter(const Attempt& attempt, const Diagnosis& diagnosis,
                                        Random& random) {
  PostFilterOutcome joined;
  joined.verdict.code = Code::Unschedulable;
  for (const PluginAt<PostFilterPlugin>& one : At<PostFilterPlugin>()) {
    PostFilterOutcome outcome = Timed(one.name, kPostFilter, [&] {
      return one.plugin->PostFilter(*this, attempt, diagnosis, random);
    });
    outcome.verdict.plugin = one.name;
    if (outcome.verdict.ok() || outcome.verdict.code == Code::UnschedulableAndUnresolvable ||
        !outcome.verdict.rejected()) {
      for (api::Write& write : joined.writes) outcome.writes.push_back(std::move(write));
      return outcome;
    }
    // No success, but the plugin may have found an earlier nomination to be useless.
    if (outcome.nomination != PostFilterOutcome::Nomination::Leave) {
      joined.nomination = outcome.nomination;
      joined.verdict.plugin = outcome.verdict.plugin;
    }
    for (api::Write& write : outcome.writes) joined.writes.push_back(std::move(write));
    for (std::string& reason : outcome.verdict.reasons) {
      joined.verdict.reasons.push_back(std::move(reason));
    }
  }
  return joined;
}

}  // namespace plimsoll::scheduler
