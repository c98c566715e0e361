#include "service/host_name.h"

#include <unistd.h>

#include <array>

namespace plimsoll::service {

std::string HostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace plimsoll::service
