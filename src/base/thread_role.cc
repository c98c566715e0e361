#include "base/thread_role.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>

namespace plimsoll {

namespace {

constexpr std::size_t kNameMax = 15;
/// Gives about a tenth of the CPU share of an ordinary thread.
constexpr int kBackgroundNice = 10;

}  // namespace

void SetThreadRole(const ThreadRole& role) {
  if (!role.name.empty()) {
    pthread_setname_np(pthread_self(), role.name.substr(0, kNameMax).c_str());
  }
  // On Linux the nice value is per thread. Ignore a failure: it only affects speed.
  if (role.is_background) {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kBackgroundNice);
  }
}

}  // namespace plimsoll
