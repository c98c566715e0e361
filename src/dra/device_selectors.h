#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/resource/resource_slice.h"
#include "base/result.h"
#include "cel/cache.h"

namespace plimsoll::dra {

/// Failure of one of several selectors.
struct SelectorFault {
  std::size_t index = 0;    // of the selector
  bool is_compile = false;  // it does not compile, for any device
  std::string text;         // upstream's text: `CEL compile error: …`, `CEL runtime error: …`
};

/// CEL selectors over devices. Compiled expressions are cached. Safe for use by many threads; a
/// component needs only one.
class DeviceSelectors {
 public:
  explicit DeviceSelectors(CacheLimits limits = {});

  /// Returns true if the expression selects the device. Invalid with upstream's text: it does not
  /// compile, or failed on this device (missing attribute, cost limit exceeded).
  Result<bool> Matches(std::string_view expression, const api::Device& device) const;
  /// Returns true if all expressions select the device. Stops at the first that does not.
  /// Adds the cost of the evaluations, in CEL's units, to `cost` unless that is null.
  std::expected<bool, SelectorFault> MatchesAll(std::span<const std::string_view> expressions,
                                                const api::Device& device,
                                                std::uint64_t* cost = nullptr) const;

  /// Compiles an expression, for callers that evaluate it over many devices.
  std::shared_ptr<const cel::Compilation> Compile(std::string_view expression) const;

  CacheCounters counters() const { return cache_.counters(); }

 private:
  mutable cel::ProgramCache cache_;
};

/// Same as DeviceSelectors::Matches, for a compiled selector.
Result<bool> SelectorMatches(const cel::Compilation& selector, const cel::DeviceFacts& facts);

}  // namespace plimsoll::dra
