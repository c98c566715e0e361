#include <array>

#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "list_includes_dyn_dyn",
     .name = "includes",
     .is_member = true,
     .signature = "dyn, dyn -> bool"},
});

}  // namespace

const Library kIncludesLibrary{.name = "includes", .functions = kFunctions};

}  // namespace plimsoll::cel
