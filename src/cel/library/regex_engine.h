#pragma once

#include <atomic>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cel/library.h"
#include "re2/re2.h"

namespace plimsoll::cel {

/// A regular expression in the syntax of Go's package regexp. Read parses it; the first match
/// compiles it, because compiling is slow and many are never matched. Safe for concurrent
/// matching.
///
/// Costs count code points of text and pattern, but `(a{99}){99}` has 10,000 program steps. So
/// matching also spends the worst case from the evaluation's work budget.
class Regex {
 public:
  /// Fails with Go's text: error parsing regexp: missing closing ): `a(b`.
  static std::expected<std::unique_ptr<const Regex>, std::string> Read(std::string_view pattern);
  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  /// Returns true if it matches anywhere in the text.
  bool Matches(Evaluation& evaluation, std::string_view text) const;

  /// Returns the leftmost match that begins at or after `start`, as a view of the text.
  std::optional<std::string_view> Find(Evaluation& evaluation, std::string_view text,
                                       std::size_t start) const;

  /// Approximate number of instructions of its program.
  std::uint64_t steps() const { return steps_; }

 private:
  Regex(std::string pattern, std::uint64_t steps) : pattern_(std::move(pattern)), steps_(steps) {}

  const RE2& engine() const {
    const RE2* const compiled = engine_.load(std::memory_order_acquire);
    return compiled != nullptr ? *compiled : Compile();
  }
  const RE2& Compile() const;

  std::string pattern_;  // for RE2
  std::uint64_t steps_;
  mutable std::atomic<const RE2*> engine_ = nullptr;
};

/// Returns the Regex of a pattern that is not constant. Each thread caches the last few, because a
/// loop mostly reuses the same ones. Parsing another spends work, because costs do not cover it.
/// The result is valid until the next call.
std::expected<const Regex*, std::string> CachedRegex(Evaluation& evaluation,
                                                     std::string_view pattern);

/// Prepares a call whose second argument is a pattern. `call` gets the Regex as its state.
std::expected<Prepared, std::string> PrepareRegex(std::span<const Value* const> constants,
                                                  Arena& arena, decltype(Prepared::call) call);

/// Returns true if the pattern is valid.
bool IsRegex(std::string_view pattern);

}  // namespace plimsoll::cel
