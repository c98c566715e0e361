#include "cel/library/libraries.h"

namespace plimsoll::cel {

const Library kBindingsLibrary{.name = "bindings"};

}  // namespace plimsoll::cel
