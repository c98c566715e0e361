#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/baton.h"
#include "base/metrics.h"
#include "base/time.h"
#include "client/client.h"
#include "client/event.h"

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
  Answer Ask(const client::Client& client, const client::Call& call);
  /// Reason of the last AnotherActs answer.
  std::string Objection() const;

  /// Counts an action that was not done.
  void Withheld(std::string_view action, Answer why);

  const client::ObjectReference& reports_to() const { return options_.reports_to; }

 private:
  /// Returns the reason not to act, or nullopt if there is none.
  std::optional<std::string> Look(const client::Client& client, const client::Call& call) const;

  const ActionGuardOptions options_;
  MetricFamily<Counter> withheld_;
  mutable std::mutex mutex_;              // never held during a call, which may suspend its fiber
  std::optional<Instant> looked_;         // time of the last Look; guarded by mutex_, as …
  std::optional<std::string> objection_;  // … its result, and …
  bool is_looking_ = false;               // … if a Look is running
  std::vector<Baton*> waiting_;           // callers that wait for it; guarded by mutex_
};

}  // namespace plimsoll::runner
