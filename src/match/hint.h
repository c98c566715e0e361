#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/core/persistent_volume.h"
#include "api/core/pod.h"
#include "api/field_path.h"

/// Hints about specs that are valid but probably not intended. A hint never rejects anything:
/// `plimsoll check` prints it, and the API server returns it as a warning (decisions D3 and D17).
namespace plimsoll::match {

enum class HintKind : std::uint8_t {
  StrictThreshold,       // Gt 950, and a node has exactly 950
  PrereleaseTrap,        // 5.10.0-26-amd64 sorts below 5.10.0
  ThresholdUnmet,        // no given node meets the threshold
  NoExecuteWithoutTime,  // NoExecute without tolerationSeconds
  NeverMatches,          // the syntax of taints or labels excludes every matching value
};

/// Returns the name, such as `StrictThreshold`, for machine-readable output.
std::string_view ToText(HintKind kind);

struct Hint {
  HintKind kind;
  std::string field;
  std::string message;
};

/// A value that a node publishes in a taint or label.
struct PublishedValue {
  std::string_view text;
  std::string_view node;
};

/// Values that the known nodes publish. There may be no nodes.
class NodeValues {
 public:
  virtual ~NodeValues() = default;
  /// Returns the values of taints with the toleration's key and effect.
  virtual std::vector<PublishedValue> OfTaints(const api::Toleration& toleration) const = 0;
  virtual std::vector<PublishedValue> OfLabel(std::string_view key) const = 0;
};

/// Returns hints on tolerations and node affinity. `at` is the path of the pod's spec.
std::vector<Hint> PodHints(const api::PodSpec& spec, const api::FieldPath& at,
                           const NodeValues& values);
/// Same as above, for a list of nodes.
std::vector<Hint> PodHints(const api::PodSpec& spec, const api::FieldPath& at,
                           std::span<const api::Node* const> nodes);

/// Returns hints on a volume's node affinity. `at` is the path of its spec.
std::vector<Hint> VolumeHints(const api::PersistentVolumeSpec& spec, const api::FieldPath& at,
                              std::span<const api::Node* const> nodes);

}  // namespace plimsoll::match
