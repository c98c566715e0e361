#include "cel/library/regex_engine.h"

#include "cel/library/regex_syntax.h"

namespace plimsoll::cel {
namespace {

/// For the program of one expression and the states that matching keeps. What can be read fits.
constexpr std::int64_t kRegexBytesMax = 32 << 20;

RE2::Options EngineOptions() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kRegexBytesMax);
  return options;
}

}  // namespace

std::expected<std::unique_ptr<const Regex>, std::string> Regex::Read(std::string_view pattern) {
  std::expected<std::string, std::string> translated = TranslateRegex(pattern);
  if (!translated) return std::unexpected(std::move(translated).error());
  return std::unique_ptr<const Regex>(new Regex(*std::move(translated)));
}

Regex::~Regex() { delete engine_.load(std::memory_order_relaxed); }

const RE2& Regex::Compile() const {
  auto compiled = std::make_unique<const RE2>(pattern_, EngineOptions());
  const RE2* expected = nullptr;
  // Two threads may both have compiled it; the first to come keeps its own.
  if (engine_.compare_exchange_strong(expected, compiled.get(), std::memory_order_acq_rel)) {
    return *compiled.release();
  }
  return *expected;
}

std::optional<std::string_view> Regex::Find(std::string_view text, std::size_t start) const {
  const re2::StringPiece subject(text.data(), text.size());
  re2::StringPiece found;
  if (!engine().Match(subject, start, subject.size(), RE2::UNANCHORED, &found, 1)) {
    return std::nullopt;
  }
  return std::string_view(found.data(), found.size());
}

std::expected<const Regex*, std::string> RecentRegex(std::string_view pattern) {
  thread_local std::string kept_pattern;
  thread_local std::unique_ptr<const Regex> kept;
  if (kept == nullptr || kept_pattern != pattern) {
    std::expected<std::unique_ptr<const Regex>, std::string> regex = Regex::Read(pattern);
    if (!regex) return std::unexpected(std::move(regex).error());
    kept = *std::move(regex);
    kept_pattern = pattern;
  }
  return kept.get();
}

std::expected<Prepared, std::string> PrepareRegex(std::span<const Value* const> constants,
                                                  Arena& arena, decltype(Prepared::call) call) {
  const Value* const pattern = constants[1];
  if (pattern == nullptr || !pattern->is(ValueKind::String)) return Prepared{};
  std::expected<std::unique_ptr<const Regex>, std::string> regex = Regex::Read(pattern->text());
  if (!regex) return std::unexpected(std::move(regex).error());
  return Prepared{call, arena.Own<std::unique_ptr<const Regex>>(*std::move(regex))->get()};
}

bool IsRegex(std::string_view pattern) { return TranslateRegex(pattern).has_value(); }

}  // namespace plimsoll::cel
