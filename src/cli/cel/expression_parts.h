#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cel/cache.h"
#include "cel/environment.h"
#include "cel/value.h"

namespace plimsoll::cli {

/// A part of an expression and its value.
struct ExplainedPart {
  std::size_t depth = 0;
  std::string text;
  std::string value;  // or `error: …`
};

/// Returns the parts of an expression from the whole to the leaves, each evaluated
/// by itself. Leaves out constants, and the inside of macros, which has no single
/// value.
std::vector<ExplainedPart> ExplainParts(const cel::Compilation& compiled,
                                        const std::shared_ptr<const cel::Environment>& environment,
                                        const cel::Value& variable);

}  // namespace plimsoll::cli
