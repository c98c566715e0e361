#include "mutation/upstream_errors.h"

#include <array>

namespace plimsoll::mutation {

bool IsUpstreams500(std::string_view body) {
  static constexpr std::array<std::string_view, 18> kTexts = {
      // Server-side apply.
      "failed to create typed patch object",
      // Strategic merge patches: upstream returns most errors of its library unchanged.
      "does not contain declared merge key",
      "but received a",
      "unknown patch type",
      "unable to find api field in struct",
      "merging an object in json but data type is not struct",
      "expected slice or array type",
      "list element types are not identical",
      "no elements in any of the given slices",
      "cannot merge lists without merge key",
      "doesn't match $setElementOrder list",
      "merging lists cannot yet be specified in the patch",
      "runtime error: hash of unhashable type",
      "is not a map.",
      // A binding without node name, or to another kind.
      "target.name: Required value",
      "target.kind: Unsupported value",
      // The resourceVersion, as upstream's storage parses it.
      "strconv.ParseUint: parsing",
      "resourceVersion should not be set on objects to be created",
  };
  for (const std::string_view text : kTexts) {
    if (body.contains(text)) return true;
  }
  return false;
}

}  // namespace plimsoll::mutation
