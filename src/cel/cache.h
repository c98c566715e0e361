#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/once_cache.h"
#include "cel/environment.h"
#include "cel/program.h"

namespace plimsoll::cel {

/// An expression brought from text to program, or why it could not be.
struct Compilation {
  enum class Stage : std::uint8_t {
    Done,     // all is there
    Compile,  // it did not parse or check: `error` has the issues with their carets
    Plan,     // a constant part can only fail: all but `program`, and `error` says which
  };
  Stage stage = Stage::Compile;
  std::string error;
  std::shared_ptr<const Ast> ast;
  const Type* type = nullptr;  // of the result; belongs to the ast or the environment
  CostRange cost;
  std::shared_ptr<const Program> program;

  /// About how much memory all of it holds.
  std::size_t bytes() const;
};

/// Parses, checks, estimates and plans.
Compilation CompileProgram(std::string_view text,
                           const std::shared_ptr<const Environment>& environment);

/// Compilations of one environment by their text. Failures are kept as well, so that a bad
/// expression costs its compilation once. The limits bound memory: of texts, and of what they
/// compile to, which can be two hundred times as much. Only the states that matching regular
/// expressions keeps come on top.
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
