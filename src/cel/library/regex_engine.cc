#include "cel/library/regex_engine.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cel/library/regex_syntax.h"
#include "cel/limits.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

/// RE2's memory for one expression: its program and the states cached by matching. An expression of
/// maximum length can hold hundreds of patterns, so the limit depends on each pattern's size.
constexpr std::uint64_t kBytesMin = 256 << 10;
constexpr std::uint64_t kBytesPerStep = 256;

/// Units of work, each worth a step of an evaluation: for parsing and compiling, and for letters
/// times program steps of matching. Only hostile patterns use that much.
constexpr std::uint64_t kWorkPerPattern = 500;
constexpr std::uint64_t kWorkPerStep = 50;
constexpr std::uint64_t kPairsPerWork = 16;

RE2::Options EngineOptions(std::uint64_t steps) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(static_cast<std::int64_t>(kBytesMin + kBytesPerStep * steps));
  return options;
}

struct Recent {
  std::string pattern;
  std::unique_ptr<const Regex> regex;
  std::uint64_t run = UINT64_MAX;  // evaluation that used it last
  std::uint64_t use = 0;           // time of the last use, counted per thread
};

/// Adds a pattern; evicts the least recently used one if the cache is full.
std::expected<void, std::string> ReadRecent(std::string_view pattern, std::vector<Recent>& recent) {
  std::expected<std::unique_ptr<const Regex>, std::string> regex = Regex::Read(pattern);
  if (!regex) return std::unexpected(std::move(regex).error());
  if (recent.size() == kRecentRegexesMax)
    recent.erase(std::ranges::min_element(recent, {}, &Recent::use));
  recent.push_back({std::string(pattern), *std::move(regex)});
  return {};
}

}  // namespace

std::expected<std::unique_ptr<const Regex>, std::string> Regex::Read(std::string_view pattern) {
  std::expected<TranslatedRegex, std::string> translated = TranslateRegex(pattern);
  if (!translated) return std::unexpected(std::move(translated).error());
  return std::unique_ptr<const Regex>(new Regex(std::move(translated->pattern), translated->steps));
}

Regex::~Regex() { delete engine_.load(std::memory_order_relaxed); }

const RE2& Regex::Compile() const {
  auto compiled = std::make_unique<const RE2>(pattern_, EngineOptions(steps_));
  const RE2* expected = nullptr;
  // Two threads may both have compiled it; the first to finish wins.
  if (engine_.compare_exchange_strong(expected, compiled.get(), std::memory_order_acq_rel)) {
    return *compiled.release();
  }
  return *expected;
}

bool Regex::Matches(Evaluation& evaluation, std::string_view text) const {
  evaluation.Spend(text.size() * steps_ / kPairsPerWork);
  return engine().Match(re2::StringPiece(text.data(), text.size()), 0, text.size(), RE2::UNANCHORED,
                        nullptr, 0);
}

std::optional<std::string_view> Regex::Find(Evaluation& evaluation, std::string_view text,
                                            std::size_t start) const {
  evaluation.Spend((text.size() - start) * steps_ / kPairsPerWork);
  const re2::StringPiece subject(text.data(), text.size());
  re2::StringPiece found;
  if (!engine().Match(subject, start, subject.size(), RE2::UNANCHORED, &found, 1)) {
    return std::nullopt;
  }
  return std::string_view(found.data(), found.size());
}

std::expected<const Regex*, std::string> CachedRegex(Evaluation& evaluation,
                                                     std::string_view pattern) {
  thread_local std::vector<Recent> recent;
  thread_local std::uint64_t uses = 0;
  auto found = std::ranges::find(recent, pattern, &Recent::pattern);
  if (found == recent.end()) {
    std::expected<void, std::string> read = ReadRecent(pattern, recent);
    if (!read) {
      evaluation.Spend(kWorkPerPattern);
      return std::unexpected(std::move(read).error());
    }
    found = recent.end() - 1;
  }
  found->use = ++uses;
  const Regex* const last = found->regex.get();
  // Work must not depend on earlier evaluations. A pattern that one of them left in the cache
  // counts as new and evicts large ones, like any other.
  if (std::exchange(found->run, evaluation.run()) != evaluation.run()) {
    std::erase_if(recent, [&](const Recent& one) {
      return one.regex.get() != last && one.regex->steps() > kRecentRegexStepsMax;
    });
    evaluation.Spend(kWorkPerPattern + kWorkPerStep * last->steps());
  }
  return last;
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
