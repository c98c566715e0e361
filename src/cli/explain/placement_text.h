#pragma once

#include <string>
#include <string_view>

#include "cli/explain/placement.h"
#include "cli/explain/text_lines.h"
#include "codec/document.h"

namespace plimsoll::cli {

/// Returns `1 node fits`, `2 nodes fit`.
std::string FittingText(std::size_t count);

/// Adds the funnel, which follows the text `lead` on its line, the reasons, the nodes that fit, and
/// the result of preemption. `is_wide` shows all nodes that fit.
void AddPlacement(const Placement& placement, std::string_view lead, TextLines& out,
                  bool is_wide = false);

/// Returns the same for `-o json`.
codec::Value PlacementTree(const Placement& placement, codec::Document& document);

}  // namespace plimsoll::cli
