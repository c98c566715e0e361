#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plimsoll::scheduler {

/// What a plugin says. The names are upstream's, which stand in metrics and golden cases.
enum class Code : std::uint8_t {
  Success,
  Error,          // the plugin could not tell; the attempt ends as failed
  Unschedulable,  // not here now; removing pods may help
  UnschedulableAndUnresolvable,
  Wait,     // of Permit
  Skip,     // the plugin has nothing to say about this pod
  Pending,  // waits for something outside; of no use to try before it comes
};
std::string_view ToText(Code code);

struct Verdict {
  Code code = Code::Success;
  std::vector<std::string> reasons;
  std::string_view plugin;  // who said it; set by the framework

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
  /// The reasons, joined by `, `.
  std::string Message() const;

  friend bool operator==(const Verdict&, const Verdict&) = default;
};

}  // namespace plimsoll::scheduler
