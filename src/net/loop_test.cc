#include "net/loop.h"

#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <utility>

#include "net/server_for_test.h"

namespace plimsoll::net {
namespace {

using std::chrono::milliseconds;

class Probe final : public Watched {
 public:
  explicit Probe(std::function<void(std::uint32_t)> on_ready) : on_ready_(std::move(on_ready)) {}
  void OnReady(std::uint32_t events) override { on_ready_(events); }
  void OnTick(Ticks now) override { ticked.Put(now); }
  void OnDrain() override {}
  void Close() override { closed.Put(true); }

  Mailbox<Ticks> ticked;
  Mailbox<bool> closed;

 private:
  std::function<void(std::uint32_t)> on_ready_;
};

TEST(LoopTest, RunsWhatIsPostedInOrderOnItsThread) {
  const auto loop = Loop::Make(milliseconds(100)).value();
  loop->Start();
  Mailbox<std::string> done;
  std::string order;
  loop->Post([&] {
    order += loop->IsCurrent() ? 'a' : 'x';
    loop->Post([&] { done.Put(order + 'c'); });
    order += 'b';
  });
  EXPECT_EQ(done.Pop(), "abc");
  EXPECT_FALSE(loop->IsCurrent());
  loop->Stop();
  EXPECT_FALSE(loop->Post([] { FAIL(); }));
}

TEST(LoopTest, TellsOfSocketsAndTime) {
  const auto loop = Loop::Make(milliseconds(1)).value();
  loop->Start();
  std::array<int, 2> pair{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair.data()), 0);
  Mailbox<bool> readable;
  const auto probe = std::make_shared<Probe>([&](std::uint32_t events) {
    if ((events & EPOLLIN) != 0) readable.Put(true);
  });
  loop->Post([&] { loop->Watch(pair[0], probe); });
  ASSERT_EQ(write(pair[1], "x", 1), 1);
  EXPECT_TRUE(readable.Pop());
  const Ticks first = probe->ticked.Pop();
  EXPECT_GT(probe->ticked.Pop(), first);
  loop->Stop();
  EXPECT_TRUE(probe->closed.Pop());
  for (const int socket : pair) close(socket);
}

TEST(LoopTest, DeadlinesAreNeverEarly) {
  const auto loop = Loop::Make(milliseconds(10)).value();
  EXPECT_EQ(loop->After(milliseconds(10)), loop->now() + 2);
  EXPECT_EQ(loop->After(milliseconds(11)), loop->now() + 3);
  EXPECT_EQ(loop->After(Duration::zero()), ~Ticks{0});
}

}  // namespace
}  // namespace plimsoll::net
