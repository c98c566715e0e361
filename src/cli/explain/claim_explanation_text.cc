#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/explain/claim_explanation.h"
#include "cli/explain/text_lines.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kReasonsShown = 10;

void AddDevice(const AllocatedDevice& device, TextLines& out) {
  StyledText line(fmt::format("request {}: {}", device.request, device.device));
  if (!device.is_published) line.Add(", ").Add("which no slice publishes any more", Style::Bad);
  out.Add(line);
  for (const AllocatedTaint& taint : device.taints) {
    const std::string margin = taint.margin.empty() ? "" : ", margin " + taint.margin;
    const bool is_tolerated = !taint.toleration.empty();
    StyledText answer(fmt::format("  taint {} ({}): ", taint.taint, taint.source));
    answer.Add(is_tolerated ? "tolerated" : "not tolerated",
               is_tolerated ? Style::Good : Style::Bad);
    if (is_tolerated) answer.Add(" by " + taint.toleration + margin);
    out.Add(answer);
  }
}

void AddRequest(const RequestExplanation& request, TextLines& out) {
  out.Blank();
  std::size_t refused = 0;
  for (const DeviceRefusals& one : request.refusals) refused += one.devices.size();
  const std::string wanted = request.wanted == 0
                                 ? "all devices"
                                 : CountText(static_cast<std::size_t>(request.wanted), "device");
  out.Add(StyledText(fmt::format("request {}: wants {} of a node; ", request.request, wanted))
              .Add(fmt::format("{} usable", CountText(request.usable.size(), "device")),
                   request.usable.empty() ? Style::Bad : Style::Good)
              .Add(fmt::format(", {} not", refused)));
  if (!request.usable.empty()) out.Add(fmt::format("  usable: {}", out.List(request.usable)));
  const std::size_t shown =
      out.is_wide() ? request.refusals.size() : std::min(kReasonsShown, request.refusals.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const DeviceRefusals& one = request.refusals[i];
    out.Add(fmt::format("  {}: {}{}{}{}", CountText(one.devices.size(), "device"), one.fault,
                        one.detail.empty() ? "" : ": " + one.detail,
                        one.users.empty() ? "" : " by ", out.List(one.users)));
    out.Add(fmt::format("    {}", out.List(one.devices)));
  }
  if (request.refusals.size() > shown) {
    out.Add(fmt::format("  and {}; -o wide shows them",
                        CountText(request.refusals.size() - shown, "more reason")));
  }
}

StyledText HeadOf(const ClaimExplanation& one, const TextLines& out) {
  StyledText head(fmt::format("ResourceClaim {}/{}: ", one.claim->metadata().namespace_,
                              one.claim->metadata().name),
                  Style::Heading);
  if (one.is_allocated) return head.Add("allocated", Style::Good);
  head.Add("not allocated", Style::Warning).Add("; ");
  head.Add(
      fmt::format("{} of {} could satisfy it", one.possible.size(), CountText(one.nodes, "node")),
      one.possible.empty() ? Style::Bad : Style::Good);
  if (!one.possible.empty()) head.Add(": " + out.List(one.possible));
  return head;
}

}  // namespace

StyledText ToText(const ClaimExplanation& one, bool is_wide) {
  TextLines out(is_wide);
  out.Add(HeadOf(one, out));
  if (!one.reserved_for.empty()) {
    out.Add(fmt::format("reserved for: {}", out.List(one.reserved_for)));
  }
  if (!one.error.empty()) out.Add(StyledText("error", Style::Bad).Add(": " + one.error));
  for (const AllocatedDevice& device : one.devices) AddDevice(device, out);
  for (const RequestExplanation& request : one.requests) AddRequest(request, out);
  return out.text();
}

std::vector<std::string> NamesIn(const ClaimExplanation& one) {
  std::set<std::string> names;
  for (const AllocatedDevice& device : one.devices) names.insert(device.device);
  for (const RequestExplanation& request : one.requests) {
    names.insert(request.usable.begin(), request.usable.end());
  }
  return {names.begin(), names.end()};
}

}  // namespace plimsoll::cli
