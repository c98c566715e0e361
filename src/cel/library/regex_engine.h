#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cel/library.h"
#include "re2/re2.h"

namespace plimsoll::cel {

/// A compiled regular expression, as Go's package regexp would understand it. Immutable; any number
/// of threads may match with it at once.
class Regex {
 public:
  /// The error is Go's text: error parsing regexp: missing closing ): `a(b`.
  static std::expected<std::unique_ptr<const Regex>, std::string> Compile(std::string_view pattern);

  /// Whether it matches anywhere in the text.
  bool Matches(std::string_view text) const {
    return expression_.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                             RE2::UNANCHORED, nullptr, 0);
  }

  /// The leftmost match that begins at or after `start`, as a part of the text.
  std::optional<std::string_view> Find(std::string_view text, std::size_t start) const;

 private:
  explicit Regex(const std::string& pattern);

  RE2 expression_;
};

/// Prepares a call whose second argument is a pattern: `call` gets the Regex as its state.
std::expected<Prepared, std::string> PrepareRegex(std::span<const Value* const> constants,
                                                  Arena& arena, decltype(Prepared::call) call);

/// Whether a constant pattern would compile.
bool IsRegex(std::string_view pattern);

}  // namespace plimsoll::cel
