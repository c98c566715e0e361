#pragma once

#include <string>
#include <string_view>

#include "api/plimsoll/eviction_record.h"

namespace plimsoll::cli {

/// Selects the facts that concern one thing.
class HistoryFilter {
 public:
  /// `kind` is pod, node, workload or rule. The namespace counts for pods and workloads.
  HistoryFilter(std::string_view kind, std::string_view name, std::string_view space)
      : kind_(kind), name_(name), namespace_(space) {}

  bool Matches(const api::EvictionRecordEntry& entry) const;

 private:
  /// `workload` is KIND/NAME of a pod's owner. The ReplicaSets of a Deployment match its name.
  bool IsOfWorkload(std::string_view workload) const;
  bool IsOfRule(const api::EvictionRecordEntry& entry) const;

  std::string kind_;
  std::string name_;
  std::string namespace_;
};

}  // namespace plimsoll::cli
