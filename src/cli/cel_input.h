#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cel/arena.h"
#include "cel/value.h"
#include "cli/context.h"

namespace plimsoll::cli {

/// What an expression is evaluated over: the environment's one variable, and the name of it for
/// people.
struct CelInput {
  std::string name;
  cel::Value variable;
};

/// The inputs with the memory that they lie in.
struct CelInputs {
  std::unique_ptr<cel::Arena> arena = std::make_unique<cel::Arena>();
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<CelInput> list;
};

/// Reads `key`, `key=value`, `key:Effect` and `key=value:Effect`. Invalid with kubectl's texts.
Status AddTaint(std::string_view text, CelInputs& inputs);

/// The devices of every ResourceSlice in the file.
Status AddDevices(const std::string& path, Context& context, CelInputs& inputs);

}  // namespace plimsoll::cli
