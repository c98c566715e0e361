#include "store/store.h"

#include <condition_variable>
#include <mutex>

namespace plimsoll::store {

Result<Revision> Store::CommitAndWait(Write write) {
  Result<Revision> result = Fail(Reason::InternalError, "the store gave no answer");
  // Not a semaphore: the library's spins and yields before it sleeps, and a sync takes longer.
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  Commit(std::move(write), [&](Result<Revision> answer) {
    // Told under the lock, as what it is told by is gone when the waiter has seen it.
    const std::scoped_lock lock(mutex);
    result = std::move(answer);
    is_done = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return is_done; });
  return result;
}

}  // namespace plimsoll::store
