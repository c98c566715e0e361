#pragma once

#include <map>
#include <string>
#include <vector>

namespace plimsoll::apiserver {

/// An authenticated or anonymous user.
struct User {
  std::string name;  // system:anonymous, system:node:n1, system:serviceaccount:ns:name, jane
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;

  bool IsIn(std::string_view group) const {
    for (const std::string& own : groups) {
      if (own == group) return true;
    }
    return false;
  }
};

}  // namespace plimsoll::apiserver
