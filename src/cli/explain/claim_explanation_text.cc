#include <fmt/format.h>

#include "cli/explain/claim_explanation.h"
#include "cli/explain/text_lines.h"

namespace plimsoll::cli {
namespace {

constexpr std::size_t kReasonsShown = 10;

void AddDevice(const AllocatedDevice& device, TextLines& out) {
  out.Add(fmt::format("request {}: {}{}", device.request, device.device,
                      device.is_published ? "" : ", which no slice publishes any more"));
  for (const AllocatedTaint& taint : device.taints) {
    const std::string margin = taint.margin.empty() ? "" : ", margin " + taint.margin;
    const std::string answer =
        taint.toleration.empty() ? "not tolerated" : "tolerated by " + taint.toleration + margin;
    out.Add(fmt::format("  taint {} ({}): {}", taint.taint, taint.source, answer));
  }
}

void AddRequest(const RequestExplanation& request, TextLines& out) {
  out.Blank();
  std::size_t refused = 0;
  for (const DeviceRefusals& one : request.refusals) refused += one.devices.size();
  const std::string wanted = request.wanted == 0
                                 ? "all devices"
                                 : CountText(static_cast<std::size_t>(request.wanted), "device");
  out.Add(fmt::format("request {}: wants {} of a node; {} usable, {} not", request.request, wanted,
                      CountText(request.usable.size(), "device"), refused));
  if (!request.usable.empty()) out.Add(fmt::format("  usable: {}", ListText(request.usable)));
  for (std::size_t i = 0; i < request.refusals.size() && i < kReasonsShown; ++i) {
    const DeviceRefusals& one = request.refusals[i];
    out.Add(fmt::format("  {}: {}{}{}{}", CountText(one.devices.size(), "device"), one.fault,
                        one.detail.empty() ? "" : ": " + one.detail,
                        one.users.empty() ? "" : " by ", ListText(one.users)));
    out.Add(fmt::format("    {}", ListText(one.devices)));
  }
  if (request.refusals.size() > kReasonsShown) {
    out.Add(fmt::format("  and {}; -o json has all of them",
                        CountText(request.refusals.size() - kReasonsShown, "more reason")));
  }
}

std::string HeadOf(const ClaimExplanation& one) {
  std::string head = one.is_allocated ? "allocated" : "not allocated";
  if (!one.is_allocated) {
    head += fmt::format("; {} of {} could satisfy it", one.possible.size(),
                        CountText(one.nodes, "node"));
    if (!one.possible.empty()) head += ": " + ListText(one.possible);
  }
  return head;
}

}  // namespace

StyledText ToText(const ClaimExplanation& one) {
  TextLines out;
  out.Add(fmt::format("ResourceClaim {}/{}: {}", one.claim->metadata().namespace_,
                      one.claim->metadata().name, HeadOf(one)));
  if (!one.reserved_for.empty())
    out.Add(fmt::format("reserved for: {}", ListText(one.reserved_for)));
  if (!one.error.empty()) out.Add(fmt::format("error: {}", one.error));
  for (const AllocatedDevice& device : one.devices) AddDevice(device, out);
  for (const RequestExplanation& request : one.requests) AddRequest(request, out);
  return out.text();
}

}  // namespace plimsoll::cli
