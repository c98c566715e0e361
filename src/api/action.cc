#include "api/action.h"

namespace plimsoll::api {

ObjectRef::ObjectRef(const KindDesc& kind, std::string_view namespace_, std::string_view name,
                     std::string_view uid)
    : named_(std::make_shared<const Named>(
          Named{&kind, std::string(namespace_), std::string(name), std::string(uid)})) {}

}  // namespace plimsoll::api
