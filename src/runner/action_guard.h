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
  bool acts = false;                     // if not, nothing is ever done
  std::vector<std::string> controllers;  // the names of those that run
  client::ObjectReference reports_to;    // what events of what is not done are about
};

/// Stands between controllers and a server where others may be doing the same work: says whether
/// to do what they ask for. Safe for use by many threads.
class ActionGuard {
 public:
  enum class Answer : std::uint8_t {
    Act,
    DryRun,    // not to be done; the controller is to go on as if it were
    NotBeside  // not now: somebody else does it, or it cannot be told
  };

  /// What others did longer ago does not count.
  static constexpr Duration kMemory = std::chrono::minutes(5);
  /// How long an answer holds.
  static constexpr Duration kRecheck = std::chrono::seconds(15);

  /// The registry must outlive it.
  ActionGuard(ActionGuardOptions options, MetricsRegistry& metrics);

  /// May ask the server.
  Answer Ask(const client::Client& client, const client::Call& call);
  /// Why it was NotBeside, when that was last found.
  std::string Objection() const;

  /// Counts something that was not done.
  void Withheld(std::string_view action, Answer why);

  const client::ObjectReference& reports_to() const { return options_.reports_to; }

 private:
  /// What speaks against acting.
  std::optional<std::string> Look(const client::Client& client, const client::Call& call) const;

  const ActionGuardOptions options_;
  MetricFamily<Counter> withheld_;
  mutable std::mutex mutex_;              // never held over a call, which may leave its thread
  std::optional<Instant> looked_;         // guarded by mutex_, as is …
  std::optional<std::string> objection_;  // … what was seen then, and …
  bool is_looking_ = false;               // … whether somebody is about to
  std::vector<Baton*> waiting_;           // those who wait for that; guarded by mutex_
};

}  // namespace plimsoll::runner
