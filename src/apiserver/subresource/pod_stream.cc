#include "apiserver/subresource/pod_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "api/meta/own_annotation.h"
#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kSimulatedRuntime = "simulated://";
constexpr int kNotImplemented = 501;
constexpr int kNoContent = 204;

struct StreamKind {
  std::string_view subresource;
  std::string_view consequence;  // for a simulated pod
  bool names_container;
};
constexpr std::array kStreamKinds = {
    StreamKind{"attach", "there is no process to attach to", true},
    StreamKind{"exec", "no command can run in them", true},
    StreamKind{"log", "there are no logs", true},
    StreamKind{"portforward", "there is no port to forward to", false},
};

const StreamKind* FindKind(std::string_view subresource) {
  const auto* const found = std::ranges::find(kStreamKinds, subresource, &StreamKind::subresource);
  return found == kStreamKinds.end() ? nullptr : found;
}

std::vector<std::string_view> ContainersOf(const codec::Value& pod) {
  std::vector<std::string_view> names;
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    const codec::Value* const containers = FindAt(pod, "spec", list);
    if (containers == nullptr) continue;
    for (const codec::Value& one : containers->items()) names.push_back(TextAt(one, "name"));
  }
  return names;
}

std::size_t CountContainers(const codec::Value& pod) {
  const codec::Value* const containers = FindAt(pod, "spec", "containers");
  return containers == nullptr ? 0 : containers->items().size();
}

/// Checks the container of the query. It may be missing if the pod has only one.
api::Answer<void> CheckContainer(std::string_view container, const codec::Value& pod,
                                 std::string_view name) {
  const std::vector<std::string_view> known = ContainersOf(pod);
  if (!container.empty()) {
    if (std::ranges::find(known, container) != known.end()) return {};
    return std::unexpected(
        api::BadRequest(fmt::format("container {} is not valid for pod {}", container, name)));
  }
  if (CountContainers(pod) == 1) return {};
  std::string message = fmt::format("a container name must be specified for pod {}", name);
  if (!known.empty()) message += fmt::format(", choose one of: [{}]", fmt::join(known, " "));
  return std::unexpected(api::BadRequest(std::move(message)));
}

bool HasSimulatedContainer(const codec::Value& pod) {
  const codec::Value* const statuses = FindAt(pod, "status", "containerStatuses");
  return statuses != nullptr && std::ranges::any_of(statuses->items(), [](const auto& status) {
           return TextAt(status, "containerID").starts_with(kSimulatedRuntime);
         });
}

/// Returns true if `plimsoll kubelet` runs the node. Its template may name another runtime, so the
/// annotation counts, too.
bool IsSimulated(const api::Object& node) {
  const std::string_view runtime =
      TextAt(node.tree(), "status", "nodeInfo", "containerRuntimeVersion");
  return runtime.starts_with(kSimulatedRuntime) ||
         api::FindOwnAnnotation(node.metadata().annotations, "simulated") == "true";
}

api::StatusObject NotImplemented(std::string message) {
  return {.code = kNotImplemented, .reason = "NotImplemented", .message = std::move(message)};
}

api::Answer<net::Response> RefuseStream(Writer& writer, const StreamKind& kind,
                                        const codec::Value& pod, std::string_view name,
                                        std::string_view node_name) {
  const WriteParts& parts = writer.parts();
  const ObjectPtr node = parts.cache.Get(*parts.resources.Find("", "v1", "nodes"), "", node_name);
  bool is_simulated = HasSimulatedContainer(pod);
  if (!is_simulated) {
    if (node == nullptr) return std::unexpected(api::NotFound({"", "nodes", node_name}));
    is_simulated = IsSimulated(*PL_TRY(node->Decode()));
  }
  if (is_simulated) {
    return std::unexpected(NotImplemented(
        fmt::format("containers of pod {:?} are simulated: node {:?} runs no containers, so {}",
                    name, node_name, kind.consequence)));
  }
  return std::unexpected(NotImplemented(
      fmt::format("pod {:?} is on node {:?}, and this server does not forward requests to kubelets",
                  name, node_name)));
}

}  // namespace

bool IsPodStream(const ApiRequest& request) {
  return request.info.group.empty() && request.info.resource == "pods" &&
         FindKind(request.info.subresource) != nullptr;
}

api::Answer<net::Response> ServePodStream(Writer& writer, ApiRequest& request) {
  const StreamKind& kind = *FindKind(request.info.subresource);
  const WriteTarget target = TargetOf(request);
  const ObjectPtr stored = PL_TRY(writer.Find(target, /*is_latest=*/true));
  if (stored == nullptr) return std::unexpected(api::NotFound(target.Subject()));
  const auto pod = PL_TRY(stored->Decode());
  if (kind.names_container) {
    PL_TRY(CheckContainer(request.target.Query("container"), pod->tree(), target.name));
  }
  const std::string_view node = TextAt(pod->tree(), "spec", "nodeName");
  if (!node.empty()) return RefuseStream(writer, kind, pod->tree(), target.name, node);
  if (kind.subresource == "log") return net::Response{.status = kNoContent};
  return std::unexpected(
      api::BadRequest(fmt::format("pod {} does not have a host assigned", target.name)));
}

}  // namespace plimsoll::apiserver
