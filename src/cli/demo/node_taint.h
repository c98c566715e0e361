#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/result.h"
#include "client/client.h"
#include "client/stop_signal.h"

namespace plimsoll::cli {

/// Returns the taint of that key and effect, or null. An empty effect stands for each.
const api::Taint* FindTaint(const api::Object& node, std::string_view key,
                            std::string_view effect = {});

/// Sets the value of a taint as `kubectl taint --overwrite` does, or removes the taint if `value`
/// is unset. Other taints stay as they are. Returns the node with the change.
Result<std::shared_ptr<const api::Object>> SetTaint(
    const client::Client& client, const std::string& node, std::string_view key,
    std::string_view effect, const std::optional<std::string>& value,
    const std::shared_ptr<client::StopSignal>& stop);

}  // namespace plimsoll::cli
