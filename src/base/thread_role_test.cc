#include "base/thread_role.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

namespace plimsoll {
namespace {

struct Seen {
  std::string name;
  int nice = 0;
};

Seen SeenIn(const ThreadRole& role) {
  Seen seen;
  std::thread([&] {
    SetThreadRole(role);
    std::array<char, 16> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    seen.name = name.data();
    seen.nice = getpriority(PRIO_PROCESS, static_cast<id_t>(gettid()));
  }).join();
  return seen;
}

TEST(ThreadRoleTest, NamesTheThread) {
  EXPECT_EQ(SeenIn({.name = "event-sender"}).name, "event-sender");
  EXPECT_EQ(SeenIn({.name = "a-name-that-is-too-long"}).name, "a-name-that-is-");
}

TEST(ThreadRoleTest, OnlyTheBackgroundStepsBack) {
  const int ordinary = SeenIn({}).nice;
  EXPECT_EQ(SeenIn({.name = "a"}).nice, ordinary);
  EXPECT_EQ(SeenIn({.is_background = true}).nice, std::max(ordinary, 10));
}

}  // namespace
}  // namespace plimsoll
