#include <array>

#include "cel/library/libraries.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

constexpr auto kMacros = std::to_array<Macro>({{"bind", 3, true, macros::Bind}});

}  // namespace

const Library kBindingsLibrary{.name = "bindings", .macros = kMacros};

}  // namespace plimsoll::cel
