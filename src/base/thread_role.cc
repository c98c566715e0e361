#include "base/thread_role.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <string>

namespace plimsoll {

namespace {

constexpr std::size_t kNameMax = 15;
/// About a tenth of the share of an ordinary thread.
constexpr int kBackgroundNice = 10;

}  // namespace

void TakeRole(const ThreadRole& role) {
  if (!role.name.empty()) {
    pthread_setname_np(pthread_self(), role.name.substr(0, kNameMax).c_str());
  }
  // Linux keeps the value by thread. It only becomes slower when this is refused.
  if (role.is_background) {
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kBackgroundNice);
  }
}

}  // namespace plimsoll
