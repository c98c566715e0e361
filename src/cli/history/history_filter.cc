#include "cli/history/history_filter.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace plimsoll::cli {
namespace {

/// Field manager of a NodeTaintRule, without its name.
constexpr std::string_view kRuleManagerPrefix = "plimsoll-node-taint-rule-";

/// Returns true if the text could be the hash of a Deployment's template.
bool IsHash(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return IsDigit(c) || (c >= 'a' && c <= 'z'); });
}

}  // namespace

bool HistoryFilter::Matches(const api::EvictionRecordEntry& entry) const {
  if (kind_ == "node") return entry.node == name_;
  if (kind_ == "rule") return IsOfRule(entry);
  if (entry.namespace_ != namespace_) return false;
  return kind_ == "pod" ? entry.pod == name_ : IsOfWorkload(entry.workload);
}

bool HistoryFilter::IsOfWorkload(std::string_view workload) const {
  const std::size_t slash = workload.find('/');
  if (slash == workload.npos) return false;
  const std::string kind = Lowered(workload.substr(0, slash));
  const std::string_view owner = workload.substr(slash + 1);
  std::string_view wanted = name_;
  // Other commands print kinds in small letters.
  std::string wanted_kind;
  if (const std::size_t at = wanted.find('/'); at != wanted.npos) {
    wanted_kind = Lowered(wanted.substr(0, at));
    wanted.remove_prefix(at + 1);
  }
  if (owner == wanted && (wanted_kind.empty() || wanted_kind == kind)) return true;
  if (!wanted_kind.empty() && wanted_kind != "deployment") return false;
  return kind == "replicaset" && owner.size() > wanted.size() + 1 && owner.starts_with(wanted) &&
         owner[wanted.size()] == '-' && IsHash(owner.substr(wanted.size() + 1));
}

bool HistoryFilter::IsOfRule(const api::EvictionRecordEntry& entry) const {
  if (entry.rule == name_ || entry.taint == name_) return true;
  std::string_view managers = entry.manager;
  while (!managers.empty()) {
    const std::string_view manager = managers.substr(0, managers.find(','));
    managers.remove_prefix(std::min(managers.size(), manager.size() + 1));
    if (manager.starts_with(kRuleManagerPrefix) &&
        manager.substr(kRuleManagerPrefix.size()) == name_) {
      return true;
    }
  }
  return false;
}

}  // namespace plimsoll::cli
