#pragma once

#include <vector>

#include "measure.h"

/// The kinds of input, by the part that reads them. A new list in an object, a new parameter of a
/// request or a new syntax gets a line here.
namespace plimsoll::linear {

std::vector<Input> ObjectInputs();     // lists and maps of objects, from text to validated
std::vector<Input> ChangeInputs();     // patches, apply, updates
std::vector<Input> RequestInputs();    // selectors, tokens, expressions, rules
std::vector<Input> SchedulerInputs();  // what a pod asks of nodes and of other pods

/// `item(0)item(1)…`, with commas between them.
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
