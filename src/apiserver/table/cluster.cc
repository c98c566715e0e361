#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apiserver/table/printers.h"
#include "base/go_text.h"
#include "base/text/ascii.h"

/// Nodes, namespaces and events.
namespace plimsoll::apiserver {
namespace {

std::string NodeStatus(const Source& node) {
  const std::string_view ready = node.Condition("Ready");
  std::string status = ready.empty() ? "Unknown" : ready == "True" ? "Ready" : "NotReady";
  if (node.Bool("spec.unschedulable")) status += ",SchedulingDisabled";
  return status;
}

std::string NodeRoles(const Source& node) {
  constexpr std::string_view kRolePrefix = "node-role.kubernetes.io/";
  std::set<std::string_view> roles;
  const codec::Value* labels = node.Find("metadata.labels");
  if (labels != nullptr) {
    for (const codec::Member& label : labels->members()) {
      if (label.key.starts_with(kRolePrefix)) {
        roles.insert(label.key.substr(kRolePrefix.size()));
      } else if (label.key == "kubernetes.io/role" && label.value.is_string()) {
        roles.insert(label.value.text());
      }
    }
  }
  roles.erase("");
  if (roles.empty()) return "<none>";
  return Join({roles.begin(), roles.end()});
}

std::string_view NodeAddress(const Source& node, std::string_view type) {
  for (const codec::Value& item : node.Items("status.addresses")) {
    const Source address = node.In(item);
    if (address.Text("type") == type) return address.Text("address");
  }
  return "<none>";
}

std::string_view OrUnknown(std::string_view text) { return text.empty() ? "<unknown>" : text; }

}  // namespace

void PrintNode(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(NodeStatus(object));
  cells.Text(NodeRoles(object));
  cells.Text(object.Age());
  cells.Text(object.Text("status.nodeInfo.kubeletVersion"));
  cells.Text(NodeAddress(object, "InternalIP"));
  cells.Text(NodeAddress(object, "ExternalIP"));
  cells.Text(OrUnknown(object.Text("status.nodeInfo.osImage")));
  cells.Text(OrUnknown(object.Text("status.nodeInfo.kernelVersion")));
  cells.Text(OrUnknown(object.Text("status.nodeInfo.containerRuntimeVersion")));
}

void PrintNamespace(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("status.phase"));
  cells.Text(object.Age());
}

void PrintEvent(const Source& object, Cells& cells) {
  // Prints both kinds of events: core/v1 and events.k8s.io/v1, which has other field names.
  const auto age = [&](std::string_view path, std::string_view otherwise) {
    return object.Age(object.Text(path).empty() ? otherwise : path);
  };
  const bool is_core = object.Find("regarding") == nullptr;
  const std::string first =
      age(is_core ? "firstTimestamp" : "deprecatedFirstTimestamp", "eventTime");
  const std::string_view last_path = is_core ? "lastTimestamp" : "deprecatedLastTimestamp";
  std::string last = object.Text(last_path).empty() ? first : object.Age(last_path);
  std::int64_t count = object.Int(is_core ? "count" : "deprecatedCount");
  if (object.Find("series") != nullptr) {
    last = object.Age("series.lastObservedTime");
    count = object.Int("series.count");
  } else if (count == 0) {
    count = 1;
  }
  const codec::Value* regarding = object.Find(is_core ? "involvedObject" : "regarding");
  const codec::Value nothing;
  const Source about = object.In(regarding == nullptr ? nothing : *regarding);
  std::string target = Lowered(about.Text("kind"));
  if (!about.Text("name").empty()) target += fmt::format("/{}", about.Text("name"));
  std::string source(object.Text(is_core ? "source.component" : "deprecatedSource.component",
                                 is_core ? "reportingComponent" : "reportingController"));
  const std::string_view host =
      object.Text(is_core ? "source.host" : "deprecatedSource.host", "reportingInstance");
  if (!host.empty()) source += fmt::format(", {}", host);

  cells.Text(last);
  cells.Text(object.Text("type"));
  cells.Text(object.Text("reason"));
  cells.Text(target);
  cells.Text(about.Text("fieldPath"));
  cells.Text(source);
  cells.Text(GoTrimSpace(object.Text(is_core ? "message" : "note")));
  cells.Text(first);
  cells.Int(count);
  cells.Text(object.Name());
}

}  // namespace plimsoll::apiserver
