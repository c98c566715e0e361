#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apiserver/table/printers.h"

/// Services, configuration, policies and RBAC.
namespace plimsoll::apiserver {
namespace {

constexpr std::size_t kEndpointsShown = 3;

std::vector<std::string> Texts(std::span<const codec::Value> items) {
  std::vector<std::string> out;
  for (const codec::Value& item : items) {
    if (item.is_string()) out.emplace_back(item.text());
  }
  return out;
}

std::string ExternalAddresses(const Source& service) {
  const std::string_view type = service.Text("spec.type");
  std::vector<std::string> addresses;
  if (type == "ExternalName") return std::string(service.Text("spec.externalName"));
  if (type == "LoadBalancer") {
    std::set<std::string> balancers;
    for (const codec::Value& item : service.Items("status.loadBalancer.ingress")) {
      balancers.emplace(service.In(item).Text("ip", "hostname"));
    }
    balancers.erase("");
    addresses.assign(balancers.begin(), balancers.end());
  } else if (type != "ClusterIP" && type != "NodePort") {
    return "<unknown>";
  }
  std::ranges::copy(Texts(service.Items("spec.externalIPs")), std::back_inserter(addresses));
  if (!addresses.empty()) return Join(addresses);
  return type == "LoadBalancer" ? "<pending>" : "<none>";
}

std::string Ports(const Source& service) {
  std::vector<std::string> ports;
  for (const codec::Value& item : service.Items("spec.ports")) {
    const Source port = service.In(item);
    const std::int64_t node_port = port.Int("nodePort");
    const std::string_view protocol = port.Text("protocol");
    ports.push_back(node_port > 0 ? fmt::format("{}:{}/{}", port.Int("port"), node_port, protocol)
                                  : fmt::format("{}/{}", port.Int("port"), protocol));
  }
  return ports.empty() ? "<none>" : Join(ports);
}

std::string HostAndPort(std::string_view host, std::int64_t port) {
  const bool is_v6 = host.contains(':');
  return is_v6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::string EndpointList(const Source& endpoints) {
  if (endpoints.Size("subsets") == 0) return "<none>";
  std::vector<std::string> all;
  for (const codec::Value& item : endpoints.Items("subsets")) {
    const Source subset = endpoints.In(item);
    const auto addresses = subset.Items("addresses");
    // A service without a cluster IP need not have ports.
    if (subset.Size("ports") == 0) {
      for (const codec::Value& address : addresses) all.emplace_back(subset.In(address).Text("ip"));
    }
    for (const codec::Value& port : subset.Items("ports")) {
      for (const codec::Value& address : addresses) {
        all.push_back(HostAndPort(subset.In(address).Text("ip"), subset.In(port).Int("port")));
      }
    }
  }
  if (all.size() <= kEndpointsShown) return Join(all);
  const std::size_t more = all.size() - kEndpointsShown;
  all.resize(kEndpointsShown);
  return fmt::format("{} + {} more...", Join(all), more);
}

/// Returns an IntOrString as text, or `N/A`.
std::string Bound(const Source& budget, std::string_view path) {
  const codec::Value* value = budget.Find(path);
  if (value == nullptr || value->is_null()) return "N/A";
  return value->is_int() ? std::to_string(value->AsInt()) : std::string(budget.Text(path));
}

}  // namespace

void PrintConfigMap(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Int(static_cast<std::int64_t>(object.Size("data") + object.Size("binaryData")));
  cells.Text(object.Age());
}

void PrintSecret(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("type"));
  cells.Int(static_cast<std::int64_t>(object.Size("data")));
  cells.Text(object.Age());
}

void PrintService(const Source& object, Cells& cells) {
  const std::vector<std::string> addresses = Texts(object.Items("spec.clusterIPs"));
  const std::string_view address =
      addresses.empty() ? object.Text("spec.clusterIP") : std::string_view(addresses.front());
  cells.Text(object.Name());
  cells.Text(object.Text("spec.type"));
  cells.Text(address.empty() ? "<none>" : address);
  cells.Text(ExternalAddresses(object));
  cells.Text(Ports(object));
  cells.Text(object.Age());
  cells.Text(FormatLabels(object.Find("spec.selector")));
}

void PrintEndpoints(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(EndpointList(object));
  cells.Text(object.Age());
}

void PrintLease(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("spec.holderIdentity"));
  cells.Text(object.Age());
}

void PrintRuntimeClass(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("handler"));
  cells.Text(object.Age());
}

void PrintPriorityClass(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Int(object.Int("value"));
  cells.Bool(object.Bool("globalDefault"));
  cells.Text(object.Age());
  cells.Text(object.Text("preemptionPolicy"));
}

void PrintRoleBinding(const Source& object, Cells& cells) {
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::vector<std::string> accounts;
  for (const codec::Value& item : object.Items("subjects")) {
    const Source subject = object.In(item);
    const std::string_view kind = subject.Text("kind");
    if (kind == "User") users.emplace_back(subject.Text("name"));
    if (kind == "Group") groups.emplace_back(subject.Text("name"));
    if (kind == "ServiceAccount") {
      accounts.push_back(fmt::format("{}/{}", subject.Text("namespace"), subject.Text("name")));
    }
  }
  cells.Text(object.Name());
  cells.Text(fmt::format("{}/{}", object.Text("roleRef.kind"), object.Text("roleRef.name")));
  cells.Text(object.Age());
  cells.Text(Join(users, ", "));
  cells.Text(Join(groups, ", "));
  cells.Text(Join(accounts, ", "));
}

void PrintFlowSchema(const Source& object, Cells& cells) {
  const std::string_view method = object.Text("spec.distinguisherMethod.type");
  const std::string_view dangling = object.Condition("Dangling");
  cells.Text(object.Name());
  cells.Text(object.Text("spec.priorityLevelConfiguration.name"));
  cells.Int(object.Int("spec.matchingPrecedence"));
  cells.Text(object.Find("spec.distinguisherMethod") == nullptr ? "<none>" : method);
  cells.Text(object.Age());
  cells.Text(dangling.empty() ? "?" : dangling);
}

void PrintPriorityLevel(const Source& object, Cells& cells) {
  const auto number = [&](std::string_view path) {
    if (object.Find(path) != nullptr) return cells.Int(object.Int(path));
    cells.Text("<none>");
  };
  cells.Text(object.Name());
  cells.Text(object.Text("spec.type"));
  number("spec.limited.nominalConcurrencyShares");
  number("spec.limited.limitResponse.queuing.queues");
  number("spec.limited.limitResponse.queuing.handSize");
  number("spec.limited.limitResponse.queuing.queueLengthLimit");
  cells.Text(object.Age());
}

void PrintDisruptionBudget(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(Bound(object, "spec.minAvailable"));
  cells.Text(Bound(object, "spec.maxUnavailable"));
  cells.Int(object.Int("status.disruptionsAllowed"));
  cells.Text(object.Age());
}

}  // namespace plimsoll::apiserver
