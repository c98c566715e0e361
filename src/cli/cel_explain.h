#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cel/cache.h"
#include "cel/environment.h"
#include "cel/value.h"

namespace plimsoll::cli {

/// A part of an expression and what it came to.
struct ExplainedPart {
  std::size_t depth = 0;
  std::string text;
  std::string value;  // or `error: …`
};

/// The parts of an expression from the whole to its leaves, each evaluated by itself. Constants
/// speak for themselves and are left out, as is what goes on inside a macro, which has no one
/// value.
std::vector<ExplainedPart> Explain(const cel::Compilation& compiled,
                                   const std::shared_ptr<const cel::Environment>& environment,
                                   const cel::Value& variable);

}  // namespace plimsoll::cli
