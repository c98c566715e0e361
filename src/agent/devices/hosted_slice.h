#pragma once

#include <string>

#include "base/time.h"

namespace plimsoll::agent {

/// A ResourceSlice that a simulated driver publishes for its node.
struct HostedSlice {
  std::string driver;
  std::string pool;
  std::string spec;            // a JSON object, without `pool`
  bool is_of_taints = false;   // it has taints of the pool's devices instead of devices
  Duration binding_delay{};    // until the binding conditions of an allocated device hold
  bool binding_fails = false;  // its failure conditions hold instead
};

}  // namespace plimsoll::agent
