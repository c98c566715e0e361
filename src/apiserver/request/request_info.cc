#include "apiserver/request/request_info.h"

#include <algorithm>
#include <array>
#include <vector>

#include "api/selector/field_selector.h"
#include "base/ascii.h"

namespace plimsoll::apiserver {
namespace {

/// Of a namespace itself, not of something in it.
constexpr std::array<std::string_view, 2> kNamespaceSubresources = {"status", "finalize"};

std::vector<std::string_view> Split(std::string_view path) {
  std::vector<std::string_view> parts;
  if (path.starts_with('/')) path.remove_prefix(1);
  while (!path.empty() && path.ends_with('/')) path.remove_suffix(1);
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

std::string_view VerbOf(std::string_view method) {
  if (method == "POST") return "create";
  if (method == "GET" || method == "HEAD") return "get";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return "delete";
  return "";
}

bool IsTrue(std::string_view text) { return text == "true" || text == "1"; }

/// The name that the field selector pins, if it does.
std::string PinnedName(const net::Target& target) {
  const auto selector = api::FieldSelector::Parse(target.Query("fieldSelector"));
  if (!selector) return {};
  for (const api::FieldRequirement& requirement : selector->requirements()) {
    if (requirement.field == "metadata.name" && requirement.is_equal) return requirement.value;
  }
  return {};
}

/// Reads `namespaces/ns/pods/web/status` or `nodes/n1`, from `parts[at]` on.
void ReadResource(const std::vector<std::string_view>& parts, std::size_t at, RequestInfo& info) {
  const std::size_t count = parts.size() - at;
  if (parts[at] == "namespaces" && count > 1) {
    info.namespace_ = parts[at + 1];
    const bool is_namespace_itself =
        count == 2 ||
        std::ranges::find(kNamespaceSubresources, parts[at + 2]) != kNamespaceSubresources.end();
    if (!is_namespace_itself) at += 2;
  }
  info.resource = parts[at];
  if (parts.size() > at + 1) info.name = parts[at + 1];
  if (parts.size() > at + 2) info.subresource = parts[at + 2];
}

}  // namespace

RequestInfo ReadRequestInfo(std::string_view method, const net::Target& target) {
  RequestInfo info;
  info.path = target.path;
  info.verb = Lowered(method);
  const std::vector<std::string_view> parts = Split(target.path);
  // An empty part (`/api//pods`) or one of dots names nothing that is served.
  const bool is_clean = std::ranges::none_of(
      parts, [](std::string_view part) { return part.empty() || part == "." || part == ".."; });
  const bool is_core = !parts.empty() && parts[0] == "api";
  const bool is_grouped = !parts.empty() && parts[0] == "apis";
  const std::size_t head = is_core ? 2 : 3;
  if (!is_clean || (!is_core && !is_grouped) || parts.size() <= head) return info;

  info.is_resource_request = true;
  if (is_grouped) info.group = parts[1];
  info.version = parts[head - 1];
  info.verb = VerbOf(method);
  ReadResource(parts, head, info);
  if (info.name.empty() && info.verb == "get") {
    info.verb = IsTrue(target.Query("watch")) ? "watch" : "list";
    info.name = PinnedName(target);
  } else if (info.name.empty() && info.verb == "delete") {
    info.verb = "deletecollection";
  }
  if (info.verb == "list" || info.verb == "watch" || info.verb == "deletecollection") {
    info.field_selector = target.Query("fieldSelector");
  }
  return info;
}

}  // namespace plimsoll::apiserver
