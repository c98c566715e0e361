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

/// A regular expression as Go's package regexp would understand it. It is read when made and
/// compiled when first matched with: many are never, and compiling takes much longer than reading.
/// Any number of threads may match with it at once.
///
/// Costs count the letters of text and pattern, but `(a{99}){99}` is 10,000 steps in 11 letters. So
/// matching spends of the evaluation's work what it may take at worst.
class Regex {
 public:
  /// The error is Go's text: error parsing regexp: missing closing ): `a(b`.
  static std::expected<std::unique_ptr<const Regex>, std::string> Read(std::string_view pattern);
  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  /// Whether it matches anywhere in the text.
  bool Matches(Evaluation& evaluation, std::string_view text) const;

  /// The leftmost match that begins at or after `start`, as a part of the text.
  std::optional<std::string_view> Find(Evaluation& evaluation, std::string_view text,
                                       std::size_t start) const;

  /// About how many steps its program has.
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

/// For a pattern that is no constant. The last few of each thread are kept, as a loop nearly always
/// goes over the same ones; reading another spends work, because costs do not see it. Valid until
/// the next call.
std::expected<const Regex*, std::string> RecentRegex(Evaluation& evaluation,
                                                     std::string_view pattern);

/// Prepares a call whose second argument is a pattern: `call` gets the Regex as its state.
std::expected<Prepared, std::string> PrepareRegex(std::span<const Value* const> constants,
                                                  Arena& arena, decltype(Prepared::call) call);

/// Whether a constant pattern can be read.
bool IsRegex(std::string_view pattern);

}  // namespace plimsoll::cel
