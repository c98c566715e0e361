#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "store/store.h"
#include "store_kill/wire.h"

namespace plimsoll::store_kill {

/// Knows what was asked for and acknowledged over all rounds, and judges what is found.
class Referee {
 public:
  /// What the victim told.
  void Hear(const Report& report);
  /// After a kill: compares the store, opened again, with what was heard, and takes over what it
  /// found of the writes that nobody knew about.
  void Judge(store::Store& store, Random& random);

  const std::vector<std::string>& faults() const { return faults_; }
  std::int64_t acknowledged() const { return acknowledged_; }
  std::int64_t changes() const { return latest_; }

 private:
  struct State {
    std::int64_t sequence = 0;  // 0: not there
    std::int64_t revision = 0;  // of the last acknowledged change
  };
  struct Counter {
    std::int64_t value = 0;  // as it was found last
    std::int64_t acked = 0;  // increments since
    std::int64_t in_flight = 0;
    std::set<std::int64_t> seen;  // numbers that were acknowledged since
  };

  void HearRevision(std::int64_t revision);
  void JudgeKeys(store::Store& store);
  void JudgeCounters(store::Store& store);
  void JudgeHistory(store::Store& store, Random& random);
  void JudgeReplay(const std::vector<store::Change>& changes, std::int64_t after,
                   std::map<std::string, std::string> picture,
                   const std::map<std::string, std::string>& want);
  void Fault(std::string text) { faults_.push_back(std::move(text)); }

  std::map<std::uint32_t, State> states_;
  std::map<std::uint32_t, std::int64_t> asked_;  // key -> sequence nobody knows about
  std::map<std::uint32_t, Counter> counters_;
  std::set<std::int64_t> revisions_;  // acknowledged in this round
  std::int64_t latest_ = 0;           // when the store was last judged
  std::int64_t acknowledged_ = 0;
  std::vector<std::string> faults_;
};

}  // namespace plimsoll::store_kill
