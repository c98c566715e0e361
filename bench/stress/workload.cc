#include "workload.h"

#include <fmt/format.h>

namespace plimsoll::bench {
namespace {

constexpr std::size_t kAccepted = kValues / 2;
constexpr std::string_view kRisk = "failure-probability";
constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kUptime = "uptime";  // NoExecute taint; the same on all nodes

std::string Toleration(std::string_view key, std::string_view op, std::string_view value) {
  return fmt::format(R"({{"key":"{}","operator":"{}","value":"{}","effect":"NoSchedule"}})", key,
                     op, value);
}

std::string Any(std::string_view key) {
  return fmt::format(R"({{"key":"{}","operator":"Exists","effect":"NoSchedule"}})", key);
}

std::string Version(std::size_t value) { return fmt::format("6.{}.0", value); }

/// Tolerates each accepted value with its own Equal, beginning at `first`. Different orders make
/// different pod templates, so that there are as many as in the mixed load.
std::string ListOfRisks(std::size_t first) {
  std::string list;
  for (std::size_t i = 0; i < kAccepted; ++i) {
    list += Toleration(kRisk, "Equal", std::to_string((first + i) % kAccepted)) + ",";
  }
  return list + Any(kKernel);
}

std::string ListOfKernels() {
  std::string list;
  for (std::size_t value = kAccepted; value < kValues; ++value) {
    list += Toleration(kKernel, "Equal", Version(value)) + ",";
  }
  return list + Any(kRisk);
}

/// A threshold on risk, one of five that match no node, and one of five that always match.
std::string Numbers(std::size_t number) {
  return Toleration(kRisk, "Lt", std::to_string(kAccepted)) + "," +
         Toleration(kRisk, "Gt", std::to_string(kValues + number % 5)) + "," + Any(kKernel) +
         fmt::format(R"(,{{"key":"{}","operator":"Gt","value":"{}","effect":"NoExecute"}})",
                     kUptime, number % 5);
}

std::string Tolerations(Flavour flavour, std::size_t number) {
  if (flavour == Flavour::Numeric) return Numbers(number);
  const bool is_mixed = flavour == Flavour::Mixed;
  switch (number % 5) {
    case 0:
      if (!is_mixed) return ListOfRisks(1);
      return Toleration(kRisk, "Lt", std::to_string(kAccepted)) + "," + Any(kKernel);
    case 1:
      if (!is_mixed) return ListOfKernels();
      return Toleration(kKernel, "SemverGt", "6.4.99") + "," + Any(kRisk);
    case 2:
      if (!is_mixed) return ListOfRisks(2);
      return fmt::format(R"({{"expression":"taint.key == '{}' && int(taint.value) < {}"}},)", kRisk,
                         kAccepted) +
             Any(kKernel);
    case 3:
      return ListOfRisks(0);
    default:
      return Any(kRisk) + "," + Any(kKernel);
  }
}

std::string Taints(Flavour flavour, std::size_t value) {
  const std::string more =
      flavour == Flavour::Numeric
          ? fmt::format(R"(,{{"key":"{}","value":"500","effect":"NoExecute"}})", kUptime)
          : std::string();
  return fmt::format(
      R"([{{"key":"{}","value":"{}","effect":"NoSchedule"}},{{"key":"{}","value":"{}","effect":"NoSchedule"}}{}])",
      kRisk, value, kKernel, Version(value), more);
}

}  // namespace

std::string_view ToText(Flavour flavour) {
  switch (flavour) {
    case Flavour::Mixed:
      return "mixed";
    case Flavour::Numeric:
      return "numeric";
    case Flavour::Plain:
      return "plain";
  }
  return "";
}

std::string NodeText(Flavour flavour, std::size_t number) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Node","metadata":{{"name":"node-{0}","labels":)"
      R"({{"kubernetes.io/hostname":"node-{0}","topology.kubernetes.io/zone":"z{1}"}}}},)"
      R"("spec":{{"taints":{2}}},)"
      R"("status":{{"allocatable":{{"cpu":"32","memory":"128Gi","pods":"110"}}}}}})",
      number, number % 3, Taints(flavour, number % kValues));
}

std::string TaintPatch(Flavour flavour, std::size_t value) {
  return fmt::format(R"({{"spec":{{"taints":{}}}}})", Taints(flavour, value));
}

std::string PodText(Flavour flavour, std::size_t number, std::string_view sent) {
  return fmt::format(
      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"pod-{0}","labels":{{"app":"web"}},)"
      R"("annotations":{{"sent":"{1}"}}}},"spec":{{"containers":[{{"name":"web","image":)"
      R"("registry.example.com/web:1","resources":{{"requests":{{"cpu":"100m","memory":"128Mi"}}}}}}],)"
      R"("tolerations":[{2}]}}}})",
      number, sent, Tolerations(flavour, number));
}

std::string PodTarget(std::size_t number) {
  return fmt::format("/api/v1/namespaces/default/pods/pod-{}", number);
}

}  // namespace plimsoll::bench
