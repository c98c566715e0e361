#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/once_cache.h"
#include "cel/environment.h"
#include "cel/program.h"

namespace plimsoll::cel {

/// Result of compiling and planning an expression.
struct Compilation {
  enum class Stage : std::uint8_t {
    Done,     // all members are set
    Compile,  // parsing or checking failed: `error` has the issues with carets
    Plan,     // a constant part always fails: `error` says why; `program` is null
  };
  Stage stage = Stage::Compile;
  std::string error;
  std::shared_ptr<const Ast> ast;
  const Type* type = nullptr;  // type of the result; belongs to the ast or the environment
  CostRange cost;
  std::shared_ptr<const Program> program;

  /// Returns the approximate memory size.
  std::size_t bytes() const;
};

/// Parses, checks, estimates and plans.
Compilation CompileProgram(std::string_view text,
                           const std::shared_ptr<const Environment>& environment);

/// Cache of compilations of one environment, by text. Failures are cached as well,
/// so that an invalid expression is compiled once. The limits bound the memory of
/// texts and of compiled programs, which can be 200 times as large. The caches of
/// RE2 for matching are not counted.
class ProgramCache {
 public:
  explicit ProgramCache(std::shared_ptr<const Environment> environment, CacheLimits limits = {})
      : environment_(std::move(environment)), cache_(limits) {}

  std::shared_ptr<const Compilation> Get(std::string_view text) {
    return cache_.Get(text, [&] { return CompileProgram(text, environment_); });
  }
  CacheCounters counters() const { return cache_.counters(); }

 private:
  const std::shared_ptr<const Environment> environment_;
  OnceCache<Compilation> cache_;
};

}  // namespace plimsoll::cel
