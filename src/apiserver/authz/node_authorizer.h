#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "apiserver/authz/authorizer.h"
#include "apiserver/authz/node_references.h"
#include "apiserver/authz/policy_rule.h"

namespace plimsoll::apiserver {

/// Whether a node needs an object; NodeReferences::Has.
using NodeNeeds = std::function<bool(std::string_view node, NodeReferences::Kind kind,
                                     std::string_view namespace_, std::string_view name)>;

/// The name of the node that the user is: system:node:<name> in the group system:nodes.
std::optional<std::string_view> NodeIdentity(const User& user);

/// Lets a node's agent at what it needs and no more: its own Node, lease and CSINode, the pods
/// bound to it, and what those use. Writes to nodes and pods are narrowed down by admission, which
/// sees the objects. Safe for use by many threads.
class NodeAuthorizer final : public Authorizer {
 public:
  /// `rules` are those of the role system:node.
  NodeAuthorizer(NodeNeeds needs, PolicyRules rules)
      : needs_(std::move(needs)), rules_(std::move(rules)) {}

  /// No user but a node is ever allowed anything.
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
