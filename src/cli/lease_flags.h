#pragma once

#include <string>

namespace plimsoll::cli {

/// Name and namespace of the Lease for leader election; empty: the component's default.
struct LeaseFlags {
  std::string name;
  std::string namespace_;
};

}  // namespace plimsoll::cli
