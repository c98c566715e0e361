#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/result.h"
#include "client/client.h"
#include "client/stop_signal.h"

namespace plimsoll::cli {

/// Objects of one kind and namespace, by name.
using NamedObjects = std::map<std::string, std::shared_ptr<const api::Object>, std::less<>>;

/// Objects of a watch.
struct ObjectSelection {
  const api::KindDesc& kind;
  std::string_view namespace_ = {};  // empty: the kind is not namespaced
  std::string label_selector = {};
  std::string field_selector = {};
};

/// Watches until `holds` is true for the objects that exist, and returns these. Timeout: `stop` was
/// stopped first; the text names `what`. Another error is that of the server.
Result<NamedObjects> AwaitObjects(const client::Client& client, const ObjectSelection& selection,
                                  std::string_view what,
                                  const std::function<bool(const NamedObjects&)>& holds,
                                  const std::shared_ptr<client::StopSignal>& stop);

}  // namespace plimsoll::cli
