#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controller/controller.h"

namespace plimsoll::controller {

/// The revisions of one owner: that of its current template, if there is one, and the others, the
/// oldest first.
struct Revisions {
  ObjectPtr current;
  std::vector<ObjectPtr> old;
  std::int64_t next = 1;  // number for a revision newer than all old ones
};

/// The ControllerRevisions, which store the templates of DaemonSets and StatefulSets.
class RevisionHistory {
 public:
  /// Returns the uids of the old and the new owner; "" if there is none.
  std::pair<std::string, std::string> OnChange(const ObjectChanged& change);

  Revisions Of(std::string_view owner_uid, const codec::Value& pod_template) const;
  /// Returns the revision, or null if it does not exist.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;

 private:
  using Key = std::pair<std::string, std::string>;  // namespace, name

  std::map<Key, ObjectPtr> revisions_;
  std::map<std::string, std::set<Key>, std::less<>> by_owner_;
};

/// A write of a revision that is in flight, or whose watch event has not arrived.
struct PendingRevision {
  ActionId write = 0;
  std::string name;  // created; watch event outstanding

  bool is_pending() const { return write != 0 || !name.empty(); }
};

/// Returns true if the current template has no revision, or not the newest one.
bool NeedsRevision(const Revisions& revisions);
/// Returns the write that creates or renumbers the revision.
Action WriteRevision(const api::Object& owner, const Revisions& revisions,
                     std::string_view hash_label, ActionId id, PendingRevision& pending);

/// Reaction to a failed write.
enum class RevisionFault : std::uint8_t {
  Retry,    // try again
  Orphan,   // it exists without owner: adopt it
  Collide,  // another template has the same name
};
RevisionFault JudgeRevision(const RevisionHistory& history, const api::Object& owner,
                            std::string_view name, const Error& error);

std::int64_t RevisionNumber(const api::Object& revision);
/// Returns the template stored in a revision, or null.
const codec::Value* RevisionTemplate(const api::Object& revision);

/// Returns the JSON of a new revision with the owner's template.
std::string RevisionJson(const api::Object& owner, std::string_view name,
                         std::string_view hash_label, std::string_view hash, std::int64_t number);

}  // namespace plimsoll::controller
