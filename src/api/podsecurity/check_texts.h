#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Texts shared by the checks.
namespace plimsoll::api {

using NameList = std::vector<std::string_view>;
using NameSet = std::set<std::string, std::less<>>;

inline std::string_view Pluralize(std::string_view one, std::string_view many, std::size_t count) {
  return count == 1 ? one : many;
}

/// Returns `"a", "b"`, without escapes, as upstream does.
template <class Names>
std::string JoinQuoted(const Names& names) {
  std::string out;
  for (const auto& name : names) {
    out += out.empty() ? "\"" : ", \"";
    out += name;
    out += '"';
  }
  return out;
}

template <class Names>
std::string JoinTexts(const Names& names, std::string_view between) {
  std::string out;
  bool is_first = true;
  for (const auto& name : names) {
    if (!is_first) out += between;
    is_first = false;
    out += name;
  }
  return out;
}

/// `container "a"` or `containers "a", "b"`
inline std::string NamedContainers(const NameList& names) {
  return std::string(Pluralize("container", "containers", names.size())) + " " + JoinQuoted(names);
}

/// `pod`, `container "a"`, or both with ` and ` between.
inline std::string NamedSetters(bool is_pod, const NameList& containers) {
  std::string out = is_pod ? "pod" : "";
  if (containers.empty()) return out;
  if (is_pod) out += " and ";
  return out + NamedContainers(containers);
}

}  // namespace plimsoll::api
