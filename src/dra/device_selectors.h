#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/resource/resource_slice.h"
#include "base/result.h"
#include "cel/cache.h"

namespace plimsoll::dra {

/// Why one of several selectors gave no answer.
struct SelectorFault {
  std::size_t index = 0;    // which one
  bool is_compile = false;  // it does not compile, whatever the device
  std::string text;         // upstream's: `CEL compile error: …`, `CEL runtime error: …`
};

/// CEL selectors over devices: each text is compiled once and kept while it is used. Safe for use
/// by many threads; one serves a whole component.
class DeviceSelectors {
 public:
  explicit DeviceSelectors(CacheLimits limits = {});

  /// Whether the device is selected. Invalid with upstream's text: the expression does not compile,
  /// or it failed over this device (an attribute that is not there, a cost beyond the limit).
  Result<bool> Matches(std::string_view expression, const api::Device& device) const;
  /// Whether all of them select the device; those behind one that does not are not looked at.
  std::expected<bool, SelectorFault> MatchesAll(std::span<const std::string_view> expressions,
                                                const api::Device& device) const;

  /// What became of the text, for those who evaluate it over many devices.
  std::shared_ptr<const cel::Compilation> Compile(std::string_view expression) const;

  CacheCounters counters() const { return cache_.counters(); }

 private:
  mutable cel::ProgramCache cache_;
};

/// As DeviceSelectors::Matches.
Result<bool> SelectorMatches(const cel::Compilation& selector, const cel::DeviceFacts& facts);

}  // namespace plimsoll::dra
