#pragma once

#include "cel/library/libraries.h"

/// Extensions of cel-go that Kubernetes does not enable, so that the program does not contain them.
/// The conformance cases of CEL need them, and they show that the engine can carry a library that
/// it does not know.
namespace plimsoll::cel {

extern const Library kStringsLatestLibrary;  // instead of kStringsLibrary
extern const Library kMathLibrary;
extern const Library kEncodersLibrary;
extern const Library kBlockLibrary;

}  // namespace plimsoll::cel
