#pragma once

#include "match/cel_evaluator.h"

namespace plimsoll::cli {

/// The process's own: compiled expressions are kept and shared.
const api::TolerationExpressions& SharedExpressions();

/// Evaluates by them.
const match::CelEvaluator& SharedEvaluator();

}  // namespace plimsoll::cli
