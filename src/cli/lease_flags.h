#pragma once

#include <string>

namespace plimsoll::cli {

/// Which Lease decides who works; empty: the part's own.
struct LeaseFlags {
  std::string name;
  std::string namespace_;
};

}  // namespace plimsoll::cli
