#pragma once

#include <string>

#include "base/time.h"

namespace plimsoll::agent {

/// A ResourceSlice that a simulated driver publishes for its node.
struct HostedSlice {
  std::string driver;
  std::string pool;
  std::string spec;            // a JSON object, without `pool`
  bool is_of_taints = false;   // it has taints for the pool's devices instead of devices
  Duration binding_delay{};    // until an allocated device is bound
  bool binding_fails = false;  // report the binding failure conditions instead
};

}  // namespace plimsoll::agent
