#pragma once

#include <string_view>

namespace plimsoll::api::defaults {

/// Whether a well-formed image name asks for the tag `latest`, by saying so or by having neither a
/// tag nor a digest. A name that no registry takes is not latest, as upstream has it.
bool IsLatestImage(std::string_view image);

}  // namespace plimsoll::api::defaults
