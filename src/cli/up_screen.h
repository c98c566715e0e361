#pragma once

#include <cstddef>
#include <string>

namespace plimsoll::cli {

/// What a started control plane tells about itself.
struct UpFacts {
  std::string url;
  std::string kubeconfig;
  std::string directory;
  std::size_t nodes = 0;
  bool is_demo = false;
  bool had_data = false;  // of an earlier run
};

/// One screen: what runs, where the kubeconfig is, five things to try, how to stop.
std::string UpScreen(const UpFacts& facts);

}  // namespace plimsoll::cli
