#include "cel/library/regex_engine.h"

#include "cel/library/regex_class.h"
#include "cel/library/regex_syntax.h"

namespace plimsoll::cel {
namespace {

/// For the program of one expression and the states that matching keeps.
constexpr std::int64_t kRegexBytesMax = 16 << 20;

RE2::Options EngineOptions() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kRegexBytesMax);
  return options;
}

}  // namespace

Regex::Regex(const std::string& pattern) : expression_(pattern, EngineOptions()) {}

std::expected<std::unique_ptr<const Regex>, std::string> Regex::Compile(std::string_view pattern) {
  std::expected<std::string, std::string> translated = TranslateRegex(pattern);
  if (!translated) return std::unexpected(std::move(translated).error());
  std::unique_ptr<const Regex> regex(new Regex(*translated));
  if (!regex->expression_.ok()) {
    // What is left of refusals is that of size.
    return std::unexpected("error parsing regexp: " + RegexFault("expression too large", pattern));
  }
  return regex;
}

std::optional<std::string_view> Regex::Find(std::string_view text, std::size_t start) const {
  const re2::StringPiece subject(text.data(), text.size());
  re2::StringPiece found;
  if (!expression_.Match(subject, start, subject.size(), RE2::UNANCHORED, &found, 1)) {
    return std::nullopt;
  }
  return std::string_view(found.data(), found.size());
}

std::expected<Prepared, std::string> PrepareRegex(std::span<const Value* const> constants,
                                                  Arena& arena, decltype(Prepared::call) call) {
  const Value* const pattern = constants[1];
  if (pattern == nullptr || !pattern->is(ValueKind::String)) return Prepared{};
  std::expected<std::unique_ptr<const Regex>, std::string> regex = Regex::Compile(pattern->text());
  if (!regex) return std::unexpected(std::move(regex).error());
  return Prepared{call, arena.Own<std::unique_ptr<const Regex>>(*std::move(regex))->get()};
}

bool IsRegex(std::string_view pattern) { return Regex::Compile(pattern).has_value(); }

}  // namespace plimsoll::cel
