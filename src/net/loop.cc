#include "net/loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <functional>

#include "base/thread_role.h"

namespace plimsoll::net {
namespace {

constexpr std::size_t kScratchSize = 64u << 10;
constexpr int kEventsMax = 256;
constexpr std::uint32_t kEdges = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

bool AddToPoller(int poller, int socket, std::uint32_t events, std::uint64_t key) {
  epoll_event event{.events = events, .data = {.u64 = key}};
  return epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event) == 0;
}

timespec ToTimespec(Duration time) {
  return {.tv_sec = time.count() / 1'000'000'000, .tv_nsec = time.count() % 1'000'000'000};
}

}  // namespace

Result<std::shared_ptr<Loop>> Loop::Make(Duration tick) {
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  const int waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  std::shared_ptr<Loop> loop(new Loop(tick, poller, waker, timer));
  const itimerspec period{.it_interval = ToTimespec(tick), .it_value = ToTimespec(tick)};
  if (poller < 0 || waker < 0 || timer < 0 || timerfd_settime(timer, 0, &period, nullptr) != 0 ||
      !AddToPoller(poller, waker, EPOLLIN, static_cast<std::uint64_t>(waker)) ||
      !AddToPoller(poller, timer, EPOLLIN, static_cast<std::uint64_t>(timer))) {
    return Fail(Reason::InternalError, std::string("cannot watch sockets: ") +
                                           std::strerror(errno) +
                                           "; is the limit of open files (ulimit -n) too low?");
  }
  return loop;
}

Loop::Loop(Duration tick, int poller, int waker, int timer)
    : tick_(tick), poller_(poller), waker_(waker), timer_(timer), scratch_(kScratchSize, '\0') {}

Loop::~Loop() {
  Stop();
  for (const int file : {poller_, waker_, timer_}) {
    if (file >= 0) close(file);
  }
}

std::size_t Loop::ThisThread() { return std::hash<std::thread::id>{}(std::this_thread::get_id()); }

void Loop::Start() {
  thread_ = std::thread([this] {
    SetThreadRole({.name = "net-loop"});
    Run();
  });
}

void Loop::Stop() {
  if (!thread_.joinable()) return;
  is_stopping_ = true;
  Post([] {});
  thread_.join();
}

bool Loop::Post(Task task) {
  const std::scoped_lock lock(mutex_);
  if (is_ended_) return false;
  posted_.push_back(std::move(task));
  if (is_woken_) return true;
  is_woken_ = true;
  // A running loop checks posted tasks before it waits.
  if (!IsCurrent()) {
    const std::uint64_t one = 1;
    static_cast<void>(!write(waker_, &one, sizeof one));
  }
  return true;
}

bool Loop::Watch(int socket, std::shared_ptr<Watched> watched) {
  const auto index = static_cast<std::size_t>(socket);
  if (slots_.size() <= index) slots_.resize(index + 1);
  Slot& slot = slots_[index];
  ++slot.generation;
  slot.watched = std::move(watched);
  return AddToPoller(poller_, socket, kEdges,
                     static_cast<std::uint64_t>(slot.generation) << 32 | index);
}

void Loop::Forget(int socket) {
  Slot& slot = slots_[static_cast<std::size_t>(socket)];
  ++slot.generation;
  slot.watched = nullptr;
}

void Loop::Replace(int socket, std::shared_ptr<Watched> watched) {
  slots_[static_cast<std::size_t>(socket)].watched = std::move(watched);
}

std::vector<std::shared_ptr<Watched>> Loop::AllWatched() const {
  std::vector<std::shared_ptr<Watched>> all;
  for (const Slot& slot : slots_) {
    if (slot.watched != nullptr) all.push_back(slot.watched);
  }
  return all;
}

Ticks Loop::After(Duration time) const {
  // Add one, because the current tick is partly over.
  return time == Duration::zero()
             ? ~Ticks{0}
             : now_ + static_cast<Ticks>((time + tick_ - Duration(1)) / tick_) + 1;
}

void Loop::Run() {
  thread_id_ = ThisThread();
  std::array<epoll_event, kEventsMax> events;
  while (!is_stopping_) {
    bool has_posted = false;
    {
      const std::scoped_lock lock(mutex_);
      has_posted = !posted_.empty();
      // This thread may have posted tasks without the waker; has_posted covers them.
      is_woken_ = false;
    }
    const int count = epoll_wait(poller_, events.data(), kEventsMax, has_posted ? 0 : -1);
    for (int i = 0; i < count; ++i) {
      const epoll_event& event = events[static_cast<std::size_t>(i)];
      Dispatch(event.data.u64, event.events);
    }
    RunPosted();
  }
  CloseAll();
  thread_id_ = 0;
}

void Loop::Dispatch(std::uint64_t key, std::uint32_t events) {
  std::uint64_t count = 0;
  if (key == static_cast<std::uint64_t>(waker_)) {
    static_cast<void>(!read(waker_, &count, sizeof count));
    return;
  }
  if (key == static_cast<std::uint64_t>(timer_)) {
    if (read(timer_, &count, sizeof count) != sizeof count) return;
    now_ += count;
    Tick();
    return;
  }
  const Slot& slot = slots_[key & 0xffffffff];
  if (slot.generation != key >> 32 || slot.watched == nullptr) return;
  // It may call Forget for itself, and must live until it returns.
  const std::shared_ptr<Watched> watched = slot.watched;
  watched->OnReady(events);
}

void Loop::Tick() {
  // By index: OnTick may call Watch and Forget.
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (const std::shared_ptr<Watched> watched = slots_[i].watched) watched->OnTick(now_);
  }
}

void Loop::RunPosted() {
  std::vector<Task> tasks;
  {
    const std::scoped_lock lock(mutex_);
    tasks.swap(posted_);
  }
  for (Task& task : tasks) {
    task();
    task = nullptr;  // destroy its captures before the next task runs
  }
}

void Loop::CloseAll() {
  RunPosted();
  for (const std::shared_ptr<Watched>& watched : AllWatched()) watched->Close();
  RunPosted();
  std::vector<Task> dropped;
  const std::scoped_lock lock(mutex_);
  is_ended_ = true;
  dropped.swap(posted_);
}

}  // namespace plimsoll::net
