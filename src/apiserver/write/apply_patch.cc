#include "apiserver/write/patch.h"

namespace plimsoll::apiserver {

api::Answer<Draft> ApplyConfiguration(const WriteTarget&, std::string_view, const api::Object*,
                                      Instant) {
  return std::unexpected(api::UnsupportedMediaType({}));
}

}  // namespace plimsoll::apiserver
