#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.h"
#include "base/metrics.h"
#include "base/time.h"
#include "client/client.h"
#include "client/event.h"
#include "client/event_recorder.h"
#include "runner/limits.h"

namespace plimsoll::runner {

struct ActionGuardOptions {
  bool acts = false;                     // false: dry run, nothing is ever done
  std::vector<std::string> controllers;  // names of the running controllers
  client::ObjectReference reports_to;    // object of events about withheld actions
};

/// Decides if controllers may act on a server where others may do the same work, such as upstream's
/// controller manager. Safe for use by many threads.
class ActionGuard {
 public:
  enum class Answer : std::uint8_t {
    Act,
    DryRun,      // do not act, but let the controller continue as if done
    AnotherActs  // not now: another does the work, or that is unknown
  };

  /// Older actions of others do not count.
  static constexpr Duration kMemory = std::chrono::minutes(5);
  /// Time for which an answer is cached.
  static constexpr Duration kRecheck = std::chrono::seconds(15);

  /// The registry must outlive the guard.
  ActionGuard(ActionGuardOptions options, MetricsRegistry& metrics);

  /// Returns the answer, cached or after requests to the server.
  Answer Decide(const client::Client& client, const client::Call& call);

  /// Counts an action that is not done, and returns the outcome that its controller gets. A dry run
  /// counts as success; a conflict makes the controller try again.
  Status Withhold(Answer answer, std::string_view action);

  /// Returns the event to record instead of one about the action on the object `uid`. An event
  /// about an action that is withheld goes to another object, with the reason. While another acts,
  /// the original is kept for PopWithheldEvent.
  client::EventToRecord Adapt(Answer answer, const std::string& uid, client::EventToRecord event);
  /// Removes and returns the kept event about the object, once the action was done after all.
  std::optional<client::EventToRecord> PopWithheldEvent(std::string_view uid);

 private:
  std::string Objection() const;
  /// Returns the reason not to act, or nullopt if there is none.
  std::optional<std::string> FindObjection(const client::Client& client,
                                           const client::Call& call) const;

  const ActionGuardOptions options_;
  MetricFamily<Counter> withheld_;
  mutable std::mutex mutex_;              // never held during a call, which may suspend its fiber
  std::optional<Instant> checked_at_;     // time of the last check; guarded by mutex_, as …
  std::optional<std::string> objection_;  // … its result, and …
  bool is_checking_ = false;              // … if a check is running
  std::vector<OneShotEvent*> waiting_;    // callers that wait for it; guarded by mutex_
  /// By uid; guarded by mutex_.
  std::map<std::string, client::EventToRecord, std::less<>> withheld_events_;
};

}  // namespace plimsoll::runner
