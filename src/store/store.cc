#include "store/store.h"

#include <semaphore>

namespace plimsoll::store {

Result<Revision> Store::CommitAndWait(Write write) {
  Result<Revision> result = Fail(Reason::InternalError, "the store gave no answer");
  std::binary_semaphore done(0);
  Commit(std::move(write), [&](Result<Revision> answer) {
    result = std::move(answer);
    done.release();
  });
  done.acquire();
  return result;
}

}  // namespace plimsoll::store
