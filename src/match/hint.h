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

/// What is valid but probably not meant. A hint never refuses anything: `plimsoll check` prints it,
/// and the API server answers it as a warning (decisions D3 and D17).
namespace plimsoll::match {

enum class HintKind : std::uint8_t {
  StrictThreshold,       // Gt 950 beside a node that has exactly 950
  PrereleaseTrap,        // 5.10.0-26-amd64 sorts below 5.10.0
  ThresholdUnmet,        // no given node is on the right side of the line
  NoExecuteWithoutTime,  // NoExecute without tolerationSeconds
  NeverMatches,          // the syntax of taints or labels forbids every value that would match
};

/// `StrictThreshold` and so on, for machine-readable output.
std::string_view ToText(HintKind kind);

struct Hint {
  HintKind kind;
  std::string field;
  std::string message;
};

/// A value that some node publishes.
struct PublishedValue {
  std::string_view text;
  std::string_view node;
};

/// What the nodes at hand publish; they may be none.
class NodeValues {
 public:
  virtual ~NodeValues() = default;
  /// Of the taints that the toleration's key and effect speak of.
  virtual std::vector<PublishedValue> OfTaints(const api::Toleration& toleration) const = 0;
  virtual std::vector<PublishedValue> OfLabel(std::string_view key) const = 0;
};

/// Hints on tolerations and node affinity. `at` is the path of the pod's spec.
std::vector<Hint> PodHints(const api::PodSpec& spec, const api::FieldPath& at,
                           const NodeValues& values);
/// The same, of nodes that are looked through one by one.
std::vector<Hint> PodHints(const api::PodSpec& spec, const api::FieldPath& at,
                           std::span<const api::Node* const> nodes);

/// Hints on a volume's node affinity; `at` is the path of its spec.
std::vector<Hint> VolumeHints(const api::PersistentVolumeSpec& spec, const api::FieldPath& at,
                              std::span<const api::Node* const> nodes);

}  // namespace plimsoll::match
