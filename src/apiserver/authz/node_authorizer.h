#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/node_references.h"
#include "apiserver/authz/policy_rule.h"

namespace plimsoll::apiserver {

/// Returns true if a node needs an object; see NodeReferences::Has.
using NodeNeeds = std::function<bool(std::string_view node, NodeReferences::Kind kind,
                                     std::string_view namespace_, std::string_view name)>;

/// Returns the node name of the user system:node:<name> in system:nodes, else nullopt.
std::optional<std::string_view> NodeIdentity(const User& user);

/// Allows a kubelet access to its own Node, Lease and CSINode, the pods bound to it, and the
/// objects that these use. NodeRestriction admission limits writes to nodes and pods further, as it
/// sees the objects. Safe for use by many threads.
class NodeAuthorizer final : public Authorizer {
 public:
  /// `rules` are the rules of the role system:node.
  NodeAuthorizer(NodeNeeds needs, PolicyRules rules)
      : needs_(std::move(needs)), rules_(std::move(rules)) {}

  /// Allows nothing to users that are not nodes.
  Decision Authorize(const User& user, const RequestInfo& what) const override;

 private:
  std::optional<Decision> Subdivided(std::string_view node, const RequestInfo& what) const;
  Decision Needed(std::string_view node, NodeReferences::Kind kind, const RequestInfo& what) const;
  Decision Get(std::string_view node, NodeReferences::Kind kind, const RequestInfo& what) const;
  Decision ReadNamespaced(std::string_view node, NodeReferences::Kind kind,
                          const RequestInfo& what) const;
  Decision Claim(std::string_view node, const RequestInfo& what) const;
  Decision ServiceAccount(std::string_view node, const RequestInfo& what) const;
  Decision Slice(std::string_view node, const RequestInfo& what) const;
  Decision Pod(std::string_view node, const RequestInfo& what) const;

  NodeNeeds needs_;
  PolicyRules rules_;
};

}  // namespace plimsoll::apiserver
