#pragma once

#include <vector>

#include "measure.h"

/// Kinds of input, by the component that reads them. Add a line for each new list in an object,
/// request parameter or syntax.
namespace plimsoll::linear {

std::vector<Input> ObjectInputs();     // lists and maps of objects, from text to validation
std::vector<Input> ChangeInputs();     // patches, apply, updates
std::vector<Input> RequestInputs();    // selectors, tokens, expressions, rules
std::vector<Input> SchedulerInputs();  // fields of a pod that refer to nodes and other pods

/// Returns `item(0),item(1),…`.
template <class Item>
std::string Joined(std::size_t count, const Item& item, std::string_view separator = ",") {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) all += separator;
    all += item(std::to_string(i));
  }
  return all;
}

}  // namespace plimsoll::linear
