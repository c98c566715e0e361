#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apiserver/request/api_request.h"
#include "base/time.h"

/// Rows of the pages below /debug/api_priority_and_fairness/.
namespace plimsoll::apiserver {

struct Flow;

/// State of a priority level.
struct LevelRow {
  std::string level;
  std::size_t active_queues = 0;  // queues with waiting requests
  std::uint32_t waiting = 0;
  std::uint32_t executing = 0;
  std::uint64_t dispatched = 0;  // this and the following: since the level was made
  std::uint64_t rejected = 0;
  std::uint64_t timed_out = 0;
};

/// State of a queue that has waiting or executing requests.
struct QueueRow {
  std::string level;
  std::uint32_t index = 0;
  std::uint32_t waiting = 0;
  std::uint32_t executing = 0;
  std::uint32_t executing_seats = 0;
  std::uint32_t waiting_seats = 0;
  double start = 0;  // virtual time, in seat-seconds
};

/// A request that waits or executes.
struct RequestRow {
  std::string level;
  std::shared_ptr<const Flow> flow;
  std::shared_ptr<const ApiRequest> request;
  std::optional<std::uint32_t> queue;  // unset: the request passed no queue
  std::optional<std::size_t> place;    // in the queue; unset: the request executes
  Instant arrived{};
  std::optional<Instant> started;
  std::uint32_t seats = 1;
};

/// At most `size_max` rows, and the number of those that did not fit.
template <class Row>
struct RowList {
  explicit RowList(std::size_t max) : size_max(max) {}

  bool IsFull() const { return rows.size() >= size_max; }

  const std::size_t size_max;
  std::vector<Row> rows;
  std::size_t left_out = 0;
};

}  // namespace plimsoll::apiserver
