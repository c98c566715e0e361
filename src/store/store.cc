#include "store/store.h"

#include "base/baton.h"

namespace plimsoll::store {

Result<Revision> Store::CommitAndWait(Write write) {
  Result<Revision> result = Fail(Reason::InternalError, "the store gave no answer");
  Baton done;
  Commit(std::move(write), [&](Result<Revision> answer) {
    result = std::move(answer);
    done.Post();
  });
  done.Wait();
  return result;
}

}  // namespace plimsoll::store
