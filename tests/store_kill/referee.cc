#include "store_kill/referee.h"

#include <fmt/format.h>

#include <utility>

#include "store/recording_sink_for_test.h"

namespace plimsoll::store_kill {

using store::Change;
using store::Number;
using store::Range;
using store::Record;
using store::RecordingSink;
using store::Revision;
using store::Store;

void Referee::Hear(const Report& report) {
  switch (report.kind) {
    case Report::Kind::Opened:
      if (report.revision != latest_) {
        Fault(fmt::format("opened at revision {}, was at {}", report.revision, latest_));
      }
      break;
    case Report::Kind::Asked:
      asked_[report.key] = report.sequence;
      break;
    case Report::Kind::Acknowledged:
      asked_.erase(report.key);
      if (report.revision <= states_[report.key].revision) Fault("a key's revision went back");
      states_[report.key] = {report.sequence, report.revision};
      HearRevision(report.revision);
      break;
    case Report::Kind::CountAsked:
      ++counters_[report.key].in_flight;
      break;
    case Report::Kind::CountAcked: {
      Counter& counter = counters_[report.key];
      --counter.in_flight;
      ++counter.acked;
      if (!counter.seen.insert(report.sequence).second) Fault("two increments made one number");
      HearRevision(report.revision);
      break;
    }
    case Report::Kind::CountRefused:
      --counters_[report.key].in_flight;
      break;
    case Report::Kind::Violated:
      Fault("the victim saw a promise broken");
      break;
  }
}

void Referee::HearRevision(std::int64_t revision) {
  ++acknowledged_;
  if (revision <= latest_) {
    Fault(
        fmt::format("revision {} was given again; the last round ended at {}", revision, latest_));
  }
  if (!revisions_.insert(revision).second) Fault(fmt::format("revision {} given twice", revision));
}

void Referee::Judge(Store& store, Random& random) {
  const std::int64_t latest = Number(store.latest());
  if (latest < latest_ || (!revisions_.empty() && latest < *revisions_.rbegin())) {
    Fault(fmt::format("revision {} is less than what was acknowledged", latest));
  }
  JudgeKeys(store);
  JudgeCounters(store);
  JudgeHistory(store, random);
  revisions_.clear();
  latest_ = latest;
}

void Referee::JudgeKeys(Store& store) {
  std::size_t there = 0;
  for (std::uint32_t key = 0; key < kWriters * kKeysOfWriter; ++key) {
    const std::string name = KeyName(key);
    const std::optional<Record> record = store.Get(name).value();
    const std::int64_t found = record.has_value() ? ReadValue(name, *record->value) : 0;
    State& state = states_[key];
    const auto asked = asked_.find(key);
    if (found == -1) {
      Fault(name + " is not whole");
    } else if (found == state.sequence) {
      if (found != 0 && Number(record->revision) != state.revision) {
        Fault(name + " has another revision than was acknowledged");
      }
    } else if (asked != asked_.end() && asked->second == found) {
      state = {found, record.has_value() ? Number(record->revision) : state.revision};
    } else {
      Fault(fmt::format("{} is {}, acknowledged was {}", name, found, state.sequence));
    }
    there += record.has_value() ? 1 : 0;
  }
  asked_.clear();
  if (store.List({.prefix = "/w/"}).value().records.size() != there) Fault("a key from nowhere");
}

void Referee::JudgeCounters(Store& store) {
  for (auto& [number, counter] : counters_) {
    const std::string name = CounterName(number);
    const std::optional<Record> record = store.Get(name).value();
    const std::int64_t found = record.has_value() ? ReadValue(name, *record->value) : 0;
    const std::int64_t least = counter.value + counter.acked;
    if (found < least || found > least + counter.in_flight) {
      Fault(fmt::format("{} is {}: was {}, {} increments acknowledged, {} in flight", name, found,
                        counter.value, counter.acked, counter.in_flight));
    }
    counter = {.value = found};
  }
}

void Referee::JudgeHistory(Store& store, Random& random) {
  const auto picture_at = [&](Revision at) {
    std::map<std::string, std::string> picture;
    const Range range = store.List({.prefix = "", .at = at}).value();
    for (const Record& record : range.records) {
      if (ReadValue(record.key, *record.value) < 0) Fault(record.key + " was not whole");
      picture[record.key] = *record.value;
    }
    return picture;
  };
  const std::int64_t compacted = Number(store.compacted());
  const std::int64_t latest = Number(store.latest());
  if (latest == 0) return;
  const auto now = picture_at(Revision{latest});
  for (const std::int64_t after : {compacted, random.Between(compacted, latest), latest}) {
    RecordingSink sink;
    const auto watch = store.WatchFrom("", Revision{after}, sink).value();
    // Revision 0 means the latest in a request, but an empty store in the past.
    auto picture = after == 0 ? std::map<std::string, std::string>() : picture_at(Revision{after});
    JudgeReplay(sink.WaitFor(static_cast<std::size_t>(latest - after)), after, std::move(picture),
                now);
  }
  if (compacted > 0) {
    RecordingSink sink;
    const auto watch = store.WatchFrom("", Revision{compacted - 1}, sink);
    if (watch.has_value() || watch.error().reason != Reason::Expired) {
      Fault("a watch from the forgotten past began");
    }
  }
}

void Referee::JudgeReplay(const std::vector<Change>& changes, std::int64_t after,
                          std::map<std::string, std::string> picture,
                          const std::map<std::string, std::string>& want) {
  for (const Change& change : changes) {
    if (Number(change.revision) != ++after) {
      Fault(fmt::format("the watch told {} instead of {}", Number(change.revision), after));
      return;
    }
    const auto at = picture.find(change.key);
    const bool was_there = at != picture.end();
    if (was_there != (change.before != nullptr) || (was_there && at->second != *change.before)) {
      Fault(fmt::format("revision {} does not tell what was before", after));
    }
    if (change.value == nullptr) {
      picture.erase(change.key);
    } else {
      picture[change.key] = *change.value;
    }
  }
  if (picture != want) Fault("what the watch told does not add up to what is there");
}

}  // namespace plimsoll::store_kill
