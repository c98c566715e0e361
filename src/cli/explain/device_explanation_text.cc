#include <fmt/format.h>

#include <set>

#include "cli/explain/device_explanation.h"
#include "cli/explain/text_lines.h"

namespace plimsoll::cli {
namespace {

void AddFacts(std::string_view title, const DeviceFactTexts& facts, TextLines& out) {
  if (facts.empty()) return;
  out.Add(fmt::format("{}:", title), Style::Heading);
  for (const auto& [name, value] : facts) out.Add(fmt::format("  {}: {}", name, value));
}

void AddTaint(const ExplainedDeviceTaint& taint, TextLines& out) {
  out.Blank();
  std::size_t tolerating = 0;
  for (const ClaimTolerance& one : taint.tolerances) tolerating += one.claims.size();
  const std::string since =
      taint.taint->time_added.empty() ? "" : fmt::format(" since {}", taint.taint->time_added);
  out.Add(
      StyledText(fmt::format("taint {} ({}){}:", api::ToText(*taint.taint), taint.source, since),
                 Style::Heading)
          .Add(" tolerated by ")
          .Add(CountText(tolerating, "claim"), tolerating > 0 ? Style::Good : Style::Plain)
          .Add(", ")
          .Add(fmt::format("not by {}", taint.refusing),
               taint.refusing > 0 ? Style::Bad : Style::Plain));
  if (!taint.taint->description.empty()) out.Add(fmt::format("  {}", taint.taint->description));
  for (const ClaimTolerance& one : taint.tolerances) {
    const std::string margin = one.margin.empty() ? "" : ", margin " + one.margin;
    out.Add(fmt::format("  {} by {}{}: {}", CountText(one.claims.size(), "claim"), one.toleration,
                        margin, out.List(one.claims)));
  }
}

void AddUse(const ExplainedDeviceUse& use, TextLines& out) {
  out.Add(
      fmt::format("used by claim {} (request {}), {}", use.claim, use.request,
                  use.pods.empty() ? "reserved for no pod" : "reserved for " + out.List(use.pods)));
  if (use.untolerated.empty()) return;
  out.Add(
      StyledText("  ").Add("does not tolerate", Style::Bad).Add(" " + out.List(use.untolerated)));
}

std::string HeadOf(const DeviceExplanation& one) {
  if (!one.is_published) return "no slice publishes it any more";
  if (one.node == "*") return "usable by every node";
  return one.node.empty() ? "usable by selected nodes" : "on node " + one.node;
}

}  // namespace

StyledText ToText(const DeviceExplanation& one, bool is_wide) {
  TextLines out(is_wide);
  out.Add(StyledText(fmt::format("Device {}: ", one.device), Style::Heading)
              .Add(HeadOf(one), one.is_published ? Style::Plain : Style::Bad)
              .Add(", ")
              .Add(CountText(one.taints.size(), "taint"),
                   one.taints.empty() ? Style::Plain : Style::Warning));
  AddFacts("attributes", one.attributes, out);
  AddFacts("capacity", one.capacity, out);
  for (const ExplainedDeviceTaint& taint : one.taints) AddTaint(taint, out);
  out.Blank();
  if (one.uses.empty()) out.Add("no claim uses it");
  for (const ExplainedDeviceUse& use : one.uses) AddUse(use, out);
  return out.text();
}

std::vector<std::string> NamesIn(const DeviceExplanation& one) {
  std::set<std::string> names;
  for (const ExplainedDeviceUse& use : one.uses) {
    names.insert("resourceclaim.resource.k8s.io/" + use.claim.substr(use.claim.find('/') + 1));
  }
  return {names.begin(), names.end()};
}

}  // namespace plimsoll::cli
