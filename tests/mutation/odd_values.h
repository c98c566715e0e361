#pragma once

#include <string>

#include "api/schema/schema.h"
#include "base/random.h"
#include "codec/document.h"

namespace plimsoll::mutation {

/// Returns a value that most places do not expect. Examples are null, another type, an empty
/// container, a number out of range, an invalid name, a directive of a patch, deep nesting.
codec::Value OddValue(codec::Document& document, Random& random);

/// Returns a value of the right type with unusual content: the limits of numbers, texts with
/// odd characters, empty, long and repeated lists.
codec::Value UnusualValue(codec::Document& document, Random& random, const api::Shape& shape);

/// Damages the bytes of a body: cuts, repeats, flips, NUL, invalid UTF-8, deep nesting.
void Damage(std::string& text, Random& random);

}  // namespace plimsoll::mutation
