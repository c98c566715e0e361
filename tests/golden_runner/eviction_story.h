#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "base/time.h"
#include "controller/controller.h"
#include "golden.h"

namespace plimsoll::golden {

/// Start of the virtual time in Go's testing/synctest: 2000-01-01.
constexpr Instant kStoryStart{std::chrono::seconds(946'684'800)};

/// Joins the lines with newlines.
std::string Joined(const std::vector<std::string>& lines);

/// A minimal cluster for an eviction controller under virtual time. It delivers each step of a case
/// as an event, executes actions at once, and wakes the controller when it is due.
class EvictionStory {
 public:
  /// `core` must outlive the story.
  explicit EvictionStory(controller::Controller& core) : core_(core) {}
  virtual ~EvictionStory() = default;

  /// Runs all steps of the case and the time after them. Returns the differences in evictions and
  /// events, or nothing.
  Mismatch Play(const Case& one);

 protected:
  using Objects = std::map<std::string, controller::ObjectPtr>;  // by kind, namespace and name

  /// Converts the object of a step (create…, update…) to what a server would store. `known` is the
  /// stored object, or null.
  virtual void Prepare(std::string_view op, codec::Document& document,
                       const api::Object* known) = 0;
  /// Executes actions other than events and evictions.
  virtual void Perform(const controller::PatchObject& patch) = 0;

  /// Stores the object and delivers the event. Returns null if it cannot be decoded.
  controller::ObjectPtr Store(const std::shared_ptr<codec::Document>& document);
  void Tell(const controller::CoreInput& event) { core_.Observe(event, {now_, actions_}); }
  const Objects& objects() const { return objects_; }
  Instant now() const { return now_; }
  static std::string KeyOf(const api::Object& object);
  static std::int64_t SecondsOf(Instant time);

 private:
  struct Told {
    std::int64_t seconds = 0;
    std::string pod;
    std::string text;
  };

  Mismatch Do(const codec::Value& step);
  Mismatch Put(std::string_view op, const codec::Value& tree);
  void Remove(const std::string& key);
  void RunUntil(std::int64_t seconds);
  void Settle();
  void Perform(const controller::Action& action);
  std::vector<std::string> Events() const;

  controller::Controller& core_;
  Instant now_ = kStoryStart;
  controller::Actions actions_;
  Objects objects_;
  std::map<std::string, std::string> deleted_at_;  // seconds, as JSON: null for pods not evicted
  std::vector<Told> events_;
};

}  // namespace plimsoll::golden
