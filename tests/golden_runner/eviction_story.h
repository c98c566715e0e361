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

/// Where the virtual time of Go's testing/synctest begins: 2000-01-01.
constexpr Instant kStoryStart{std::chrono::seconds(946'684'800)};

/// Each on a line of its own.
std::string Joined(const std::vector<std::string>& lines);

/// The little of a cluster that a controller of evictions needs, under virtual time: it is told of
/// each step of a case, what it asks for is done at once, and it is woken when it wants to be.
class EvictionStory {
 public:
  /// The controller must outlive it.
  explicit EvictionStory(controller::Controller& core) : core_(core) {}
  virtual ~EvictionStory() = default;

  /// All steps of the case and the time after them. What differs from the answer in who was evicted
  /// when, and in the events, or nothing.
  Mismatch Play(const Case& one);

 protected:
  using Objects = std::map<std::string, controller::ObjectPtr>;  // by kind, namespace and name

  /// Makes of what a step has (create…, update…) what a server would store. `known` is what there
  /// was, or null.
  virtual void Prepare(std::string_view op, codec::Document& document,
                       const api::Object* known) = 0;
  /// What the controller asks for beyond events and evictions.
  virtual void Perform(const controller::PatchObject& patch) = 0;

  /// Null when it cannot be decoded.
  controller::ObjectPtr Store(const std::shared_ptr<codec::Document>& document);
  void Tell(const controller::InputEvent& event) { core_.Observe(event, now_, actions_); }
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
  std::map<std::string, std::string> deleted_at_;  // in seconds, as JSON: null for pods that stayed
  std::vector<Told> events_;
};

}  // namespace plimsoll::golden
