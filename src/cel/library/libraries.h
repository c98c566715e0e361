#pragma once

#include "cel/library.h"

/// The available libraries. Each is defined in the source file of its name.
namespace plimsoll::cel {

// The language itself. Every environment has these four, in this order.
extern const Library kStandardOperatorsLibrary;  // operators, index, in, size; the macros
extern const Library kStandardConversionsLibrary;
extern const Library kStandardTextLibrary;
extern const Library kStandardTimeLibrary;

// cel-go's extensions.
extern const Library kOptionalLibrary;
extern const Library kStringsLibrary;
extern const Library kListsLibrary;
extern const Library kSetsLibrary;
extern const Library kTwoVariableLibrary;
extern const Library kBindingsLibrary;

// Kubernetes' own.
extern const Library kAuthorizerLibrary;  // declarations only
extern const Library kUrlLibrary;
extern const Library kRegexLibrary;
extern const Library kKubernetesListsLibrary;
extern const Library kIncludesLibrary;
extern const Library kQuantityLibrary;
extern const Library kIpLibrary;
extern const Library kCidrLibrary;
extern const Library kFormatLibrary;
extern const Library kSemverLibrary;

}  // namespace plimsoll::cel
