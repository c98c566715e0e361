#include "api/core/service.h"

#include "api/decode/read.h"

namespace plimsoll::api {

StringMap SelectedLabels(const Object& object) {
  StringMap labels;
  const codec::Value* const spec = object.tree().Find("spec");
  const codec::Value* const selector = spec == nullptr ? nullptr : spec->Find("selector");
  if (selector != nullptr && selector->is_object()) Decode(*selector, labels);
  return labels;
}

}  // namespace plimsoll::api
