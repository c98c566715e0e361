#include "store/store.h"

#include <atomic>
#include <cstddef>
#include <utility>

#include "base/async.h"

namespace plimsoll::store {

Result<Revision> Store::CommitAndWait(Write write) {
  Result<Revision> result = Fail(Reason::InternalError, "the store did not answer");
  OneShotEvent done;
  Commit(std::move(write), [&](Result<Revision> answer) {
    result = std::move(answer);
    done.Set();
  });
  done.Wait();
  return result;
}

std::vector<Result<Revision>> Store::CommitAllAndWait(std::vector<Write> writes) {
  std::vector<Result<Revision>> results(writes.size(), kNoRevision);
  if (writes.empty()) return results;
  std::atomic<std::size_t> left = writes.size();
  OneShotEvent done;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    Commit(std::move(writes[i]), [&results, &left, &done, i](Result<Revision> answer) {
      results[i] = std::move(answer);
      if (--left == 0) done.Set();
    });
  }
  done.Wait();
  return results;
}

}  // namespace plimsoll::store
