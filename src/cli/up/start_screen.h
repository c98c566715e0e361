#pragma once

#include <cstddef>
#include <string>

namespace plimsoll::cli {

/// Data for the start screen.
struct StartScreenFacts {
  std::string url;
  std::string kubeconfig;
  std::string directory;
  std::size_t nodes = 0;
  std::string first_node;  // its name; empty if there are no nodes
  bool is_demo = false;
  bool had_data = false;  // from an earlier run
};

/// Returns one screen of text: what runs, the kubeconfig, five things to try, how to stop.
std::string StartScreenText(const StartScreenFacts& facts);

}  // namespace plimsoll::cli
