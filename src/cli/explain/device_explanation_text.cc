#include <fmt/format.h>

#include "cli/explain/device_explanation.h"
#include "cli/explain/text_lines.h"

namespace plimsoll::cli {
namespace {

void AddFacts(std::string_view title, const DeviceFactTexts& facts, TextLines& out) {
  if (facts.empty()) return;
  out.Add(fmt::format("{}:", title));
  for (const auto& [name, value] : facts) out.Add(fmt::format("  {}: {}", name, value));
}

void AddTaint(const ExplainedDeviceTaint& taint, TextLines& out) {
  out.Blank();
  std::size_t tolerating = 0;
  for (const ClaimTolerance& one : taint.tolerances) tolerating += one.claims.size();
  const std::string since =
      taint.taint->time_added.empty() ? "" : fmt::format(" since {}", taint.taint->time_added);
  out.Add(fmt::format("taint {} ({}){}: tolerated by {}, not by {}", api::ToText(*taint.taint),
                      taint.source, since, CountText(tolerating, "claim"), taint.refusing));
  if (!taint.taint->description.empty()) out.Add(fmt::format("  {}", taint.taint->description));
  for (const ClaimTolerance& one : taint.tolerances) {
    const std::string margin = one.margin.empty() ? "" : ", margin " + one.margin;
    out.Add(fmt::format("  {} by {}{}: {}", CountText(one.claims.size(), "claim"), one.toleration,
                        margin, ListText(one.claims)));
  }
}

void AddUse(const ExplainedDeviceUse& use, TextLines& out) {
  out.Add(
      fmt::format("used by claim {} (request {}), {}", use.claim, use.request,
                  use.pods.empty() ? "reserved for no pod" : "reserved for " + ListText(use.pods)));
  if (!use.untolerated.empty())
    out.Add(fmt::format("  does not tolerate {}", ListText(use.untolerated)));
}

std::string HeadOf(const DeviceExplanation& one) {
  if (!one.is_published) return "no slice publishes it any more";
  if (one.node == "*") return "usable by every node";
  return one.node.empty() ? "usable by selected nodes" : "on node " + one.node;
}

}  // namespace

StyledText ToText(const DeviceExplanation& one) {
  TextLines out;
  out.Add(fmt::format("Device {}: {}, {}", one.device, HeadOf(one),
                      CountText(one.taints.size(), "taint")));
  AddFacts("attributes", one.attributes, out);
  AddFacts("capacity", one.capacity, out);
  for (const ExplainedDeviceTaint& taint : one.taints) AddTaint(taint, out);
  out.Blank();
  if (one.uses.empty()) out.Add("no claim uses it");
  for (const ExplainedDeviceUse& use : one.uses) AddUse(use, out);
  return out.text();
}

}  // namespace plimsoll::cli
