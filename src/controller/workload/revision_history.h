#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controller/action.h"

namespace plimsoll::controller {

/// The revisions of one owner: the one of its template, if there is one, and the others, the
/// oldest first.
struct Revisions {
  ObjectPtr current;
  std::vector<ObjectPtr> old;
  std::int64_t next = 1;  // the number of a revision newer than all old ones
};

/// The ControllerRevisions, which keep the templates that a DaemonSet or StatefulSet has had.
class RevisionHistory {
 public:
  /// Gives back whose they are and were; empty texts where nobody's.
  std::pair<std::string, std::string> Take(const ObjectChanged& change);

  Revisions Of(std::string_view owner_uid, const codec::Value& pod_template) const;
  /// Null when there is none of that name.
  ObjectPtr Find(std::string_view namespace_, std::string_view name) const;

 private:
  using Key = std::pair<std::string, std::string>;  // namespace, name

  std::map<Key, ObjectPtr> revisions_;
  std::map<std::string, std::set<Key>, std::less<>> by_owner_;
};

/// The write of a revision that is under way, or whose news is not here yet.
struct PendingRevision {
  ActionId write = 0;
  std::string name;  // created, not yet seen

  bool is_pending() const { return write != 0 || !name.empty(); }
};

/// Whether the template has no revision yet, or one that is not the newest.
bool NeedsRevision(const Revisions& revisions);
/// The write that mends it.
Action WriteRevision(const api::Object& owner, const Revisions& revisions,
                     std::string_view hash_label, ActionId id, PendingRevision& pending);

/// What follows from a write that failed.
enum class RevisionFault : std::uint8_t {
  Retry,    // try again
  Orphan,   // it is there, and nobody's: take it over
  Collide,  // another template has taken the name
};
RevisionFault JudgeRevision(const RevisionHistory& history, const api::Object& owner,
                            std::string_view name, const Error& error);

std::int64_t RevisionNumber(const api::Object& revision);
/// The template that it keeps, or null.
const codec::Value* RevisionTemplate(const api::Object& revision);
/// Whether it keeps this template.
bool KeepsTemplate(const api::Object& revision, const codec::Value& pod_template);

/// A new revision with the owner's template.
std::string RevisionJson(const api::Object& owner, std::string_view name,
                         std::string_view hash_label, std::string_view hash, std::int64_t number);
/// A merge patch that makes it the newest.
std::string RevisionNumberPatch(const api::Object& revision, std::int64_t number);

}  // namespace plimsoll::controller
