#pragma once

#include <expected>
#include <functional>
#include <utility>
#include <vector>

#include "store/etcd/fault.h"
#include "store/store.h"

namespace plimsoll::store::etcd {

/// Shares reads of etcd's revision: one read at a time answers all callers that asked before it
/// began. Only for the loop's thread.
class SharedRead {
 public:
  using Answer = std::expected<Revision, Fault>;
  using Done = std::move_only_function<void(const Answer&)>;
  /// Starts a read of etcd's revision.
  using Begin = std::function<void(Done)>;

  explicit SharedRead(Begin begin) : begin_(std::move(begin)) {}

  void Read(Done done) {
    next_.push_back(std::move(done));
    if (!is_reading_) Start();
  }

 private:
  void Start() {
    is_reading_ = true;
    begin_([this, asked = std::exchange(next_, {})](const Answer& answer) mutable {
      is_reading_ = false;
      if (!next_.empty()) Start();
      for (Done& done : asked) done(answer);
    });
  }

  const Begin begin_;
  bool is_reading_ = false;
  std::vector<Done> next_;  // callers that wait for the next read
};

}  // namespace plimsoll::store::etcd
