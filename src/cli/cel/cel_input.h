#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/result.h"
#include "cel/arena.h"
#include "cel/value.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// Input of an evaluation: the value of the environment's only variable, and its display
/// name.
struct CelInput {
  std::string name;
  cel::Value variable;
};

/// Inputs, and the memory that they point into.
struct CelInputs {
  std::unique_ptr<cel::Arena> arena = std::make_unique<cel::Arena>();
  std::vector<std::shared_ptr<const api::Object>> slices;
  std::vector<CelInput> list;
};

/// Parses `key`, `key=value`, `key:Effect` or `key=value:Effect`. Errors have kubectl's texts.
Status AddTaint(std::string_view text, CelInputs& inputs);

/// Adds the devices of every ResourceSlice in the file.
Status AddDevices(const std::string& path, Context& context, CelInputs& inputs);

}  // namespace plimsoll::cli
