#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/lifecycle/cluster_facts.h"
#include "codec/build.h"
#include "codec/json.h"
#include "codec/yaml.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::Value;

std::string Bytes(std::uint64_t bytes) {
  constexpr std::array kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < kUnits.size()) {
    amount /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", amount, unit == 0 ? 0 : 1, kUnits.at(unit));
}

/// Returns `, up for 1h5m0s`, or nothing for a time that is not known.
std::string Age(const std::string& started, Instant now) {
  const auto since = ParseTime(started);
  if (!since || *since > now) return "";
  return ", up for " + FormatDuration(std::chrono::floor<std::chrono::seconds>(now - *since));
}

std::string ProcessText(const ClusterFacts& facts, Instant now) {
  std::string text =
      *facts.pid == 0 ? "one that cannot be seen from here" : std::to_string(*facts.pid);
  if (!facts.run) return text;
  return text + fmt::format(", since {}{}, plimsoll {}", facts.run->started,
                            Age(facts.run->started, now), facts.run->version);
}

std::string PodsText(const ClusterCounts& counts) {
  std::string text;
  for (const auto& [phase, count] : counts.pods) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, phase);
  }
  return text.empty() ? "none" : text;
}

std::string CertificatesText(const std::vector<CertificateEnd>& certificates) {
  if (certificates.empty()) return "none yet";
  std::string text;
  const CertificateEnd* first = nullptr;
  for (const CertificateEnd& one : certificates) {
    if (one.file == "pki/ca.crt") {
      text = fmt::format("; the authority ends {}", FormatTime(one.not_after));
    } else if (first == nullptr || one.not_after < first->not_after) {
      first = &one;
    }
  }
  if (first == nullptr) return text.substr(2);
  return fmt::format("{} ends first, {}{}", first->file, FormatTime(first->not_after), text);
}

std::string KubeconfigText(const ClusterFacts& facts) {
  if (facts.kubeconfig.empty()) return "none yet";
  if (!facts.run || facts.run->merged_kubeconfig.empty()) return facts.kubeconfig;
  return fmt::format("{}, also in {} as {}", facts.kubeconfig, facts.run->merged_kubeconfig,
                     facts.run->cluster);
}

Value CountsTree(Document& document, const ClusterCounts& counts) {
  Value pods = document.NewObject(counts.pods.size());
  for (const auto& [phase, count] : counts.pods) {
    document.Set(pods, document.CopyText(phase), Value::Int(static_cast<std::int64_t>(count)));
  }
  return pods;
}

Value CertificatesTree(Document& document, const std::vector<CertificateEnd>& certificates) {
  Value list = document.NewArray(certificates.size());
  for (const CertificateEnd& one : certificates) {
    document.Append(
        list,
        codec::ObjectOf(document, {{"file", Value::String(one.file)},
                                   {"notAfter", document.NewString(FormatTime(one.not_after))}}));
  }
  return list;
}

}  // namespace

StyledText ToText(const ClusterFacts& facts, Instant now) {
  StyledText text;
  if (!facts.pid) {
    return text.Add("Plimsoll is not running", Style::Bad)
        .Add(fmt::format(" in {}.\n{}", facts.directory,
                         facts.data_bytes == 0 ? "There is no data.\n"
                                               : fmt::format("Data of earlier runs: {}.\n",
                                                             Bytes(facts.data_bytes))));
  }
  text.Add("Plimsoll is running", Style::Good)
      .Add(fmt::format(": {}\n\n", facts.server.empty() ? "not listening yet" : facts.server));
  const auto line = [&](std::string_view name, const std::string& value,
                        Style style = Style::Plain) {
    text.Add(fmt::format("  {:<13} ", name)).AddHanging(value, style).Add("\n");
  };
  line("process", ProcessText(facts, now));
  line("data", fmt::format("{} ({})", facts.directory, Bytes(facts.data_bytes)));
  line("kubeconfig", KubeconfigText(facts));
  line("ready", facts.is_ready ? "yes" : "no" + (facts.fault.empty() ? "" : ": " + facts.fault),
       facts.is_ready ? Style::Good : Style::Bad);
  if (facts.counts) {
    const bool are_all_ready = facts.counts->ready_nodes == facts.counts->nodes;
    line("nodes", fmt::format("{} of {} ready", facts.counts->ready_nodes, facts.counts->nodes),
         are_all_ready ? Style::Good : Style::Warning);
    line("pods", PodsText(*facts.counts));
  }
  line("certificates", CertificatesText(facts.certificates));
  return text;
}

Value ToTree(const ClusterFacts& facts, Document& document) {
  Value root = document.NewObject();
  const auto set_text = [&](std::string_view key, const std::string& text) {
    if (!text.empty()) document.Set(root, key, Value::String(text));
  };
  document.Set(root, "running", Value::Bool(facts.pid.has_value()));
  if (facts.pid) document.Set(root, "pid", Value::Int(*facts.pid));
  if (facts.run) {
    set_text("since", facts.run->started);
    set_text("version", facts.run->version);
    set_text("cluster", facts.run->cluster);
    set_text("mergedKubeconfig", facts.run->merged_kubeconfig);
  }
  set_text("dataDirectory", facts.directory);
  document.Set(root, "dataBytes", Value::Int(static_cast<std::int64_t>(facts.data_bytes)));
  set_text("kubeconfig", facts.kubeconfig);
  set_text("server", facts.server);
  if (facts.pid) document.Set(root, "ready", Value::Bool(facts.is_ready));
  set_text("fault", facts.fault);
  if (facts.counts) {
    const auto count = [](std::size_t number) {
      return Value::Int(static_cast<std::int64_t>(number));
    };
    document.Set(root, "nodes",
                 codec::ObjectOf(document, {{"total", count(facts.counts->nodes)},
                                            {"ready", count(facts.counts->ready_nodes)}}));
    document.Set(root, "pods", CountsTree(document, *facts.counts));
  }
  document.Set(root, "certificates", CertificatesTree(document, facts.certificates));
  return root;
}

}  // namespace plimsoll::cli
