#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::scheduler {

/// Result of a plugin call. Upstream's names, which metrics and golden tests use.
enum class Code : std::uint8_t {
  Success,
  Error,          // the plugin failed; so does the attempt
  Unschedulable,  // refused for now; removing pods may help
  UnschedulableAndUnresolvable,
  Wait,     // only from Permit
  Skip,     // the plugin does not apply to this pod
  Pending,  // waits for an external event; no retry before it
};
std::string_view ToText(Code code);

struct Verdict {
  Code code = Code::Success;
  std::vector<std::string> reasons;
  std::string_view plugin;  // name of the plugin; set by the framework

  static Verdict Success() { return {}; }
  static Verdict Skip() { return {Code::Skip, {}, {}}; }
  static Verdict Of(Code code, std::string reason) {
    Verdict verdict{code, {}, {}};
    verdict.reasons.push_back(std::move(reason));
    return verdict;
  }

  bool ok() const { return code == Code::Success; }
  bool rejected() const {
    return code == Code::Unschedulable || code == Code::UnschedulableAndUnresolvable ||
           code == Code::Pending;
  }
  /// Returns the reasons, joined by `, `.
  std::string Message() const;

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

}  // namespace plimsoll::scheduler
