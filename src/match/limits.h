#pragma once

#include <cstddef>
#include <cstdint>

/// Maxima that bound the memory or the work of matching.
namespace plimsoll::match {

// Caches.

/// Answers that an ExpressionMemo keeps, one for each expression and distinct taint.
inline constexpr std::size_t kExpressionAnswersMax = 1 << 18;
/// Cached programs without a handle.
inline constexpr std::size_t kIdleProgramsMax = 1024;
/// Cells of a sparse column. A cell takes eight bytes, and inserting one shifts others. A dense
/// column takes one to four bytes for every node. The limit keeps the list short and the array well
/// filled.
inline constexpr std::size_t kSparseCellsMax = 64;

// Work.

/// Expressions times taints that Prepare evaluates without a budget.
inline constexpr std::size_t kQuestionsWithoutBudgetMax = 50'000;

}  // namespace plimsoll::match
