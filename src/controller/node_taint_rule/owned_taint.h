#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/object.h"
#include "base/time.h"
#include "controller/controller.h"

/// The taint that a rule owns on a node. An annotation of the node records it, so that a restarted
/// controller knows its taints and the times of their changes.
namespace plimsoll::controller {

/// Prefix of the annotations; the name of the rule follows.
inline constexpr std::string_view kOwnedTaintPrefix = "taint-rule.plimsoll.io/";
/// Prefix of the field managers; the name of the rule follows.
inline constexpr std::string_view kRuleManagerPrefix = "plimsoll-node-taint-rule-";

/// A rule as the owner of taints.
struct TaintOwner {
  std::string rule;
  std::string key;  // of its taints

  std::string annotation() const { return std::string(kOwnedTaintPrefix) + rule; }
  std::string manager() const { return std::string(kRuleManagerPrefix) + rule; }
};

/// A taint that a rule has set.
struct OwnedTaint {
  std::string value;
  std::string effect;
  Instant changed_at{};

  friend bool operator==(const OwnedTaint&, const OwnedTaint&) = default;
};

/// Returns the record of the owner's taint, or nullopt if the node has none. A record that cannot
/// be read has no effect and no value.
std::optional<OwnedTaint> OwnedTaintOf(const api::Object& node, const TaintOwner& owner);

/// Returns the value of the node's taint with this key and effect, or nullopt.
std::optional<std::string_view> TaintOn(const api::Object& node, std::string_view key,
                                        std::string_view effect);

/// Returns a patch that sets the taint of an owner, or removes it if `taint` is nullopt. It changes
/// no other taint.
///
/// With `owns_single_taints`, the server tracks the owner of each taint. The patch is a server-side
/// apply, not forced; the server rejects it if another manager owns the taint. Otherwise the
/// patch is a merge patch for exactly this version of the node. REQUIRES then: IsFreeFor.
PatchObject OwnedTaintPatch(const ObjectPtr& node, const TaintOwner& owner,
                            const std::optional<OwnedTaint>& taint, bool owns_single_taints);

/// Returns a patch that removes only the record of the owner, even if another client wrote it.
PatchObject RecordRemoval(const ObjectPtr& node, const TaintOwner& owner);

/// Returns true if the owner may set a taint with this effect on a server that does not track
/// owners. The node must have none, or the one that the owner has recorded.
bool IsFreeFor(const api::Object& node, const TaintOwner& owner, std::string_view effect);

/// Returns the name of another rule that has recorded a taint of this key and effect, or "".
std::string_view OtherOwnerOf(const api::Object& node, const TaintOwner& owner,
                              std::string_view effect);

}  // namespace plimsoll::controller
