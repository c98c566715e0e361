#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <cstddef>
#include <utility>

#include "base/assert.h"
#include "base/async.h"

// CMakeLists.txt defines these macros, because each compiler has its own way to detect a sanitizer.
#if defined(PL_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#elif defined(PL_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace plimsoll {
namespace {

// Same size as a thread's stack, so that any task can run in a fiber. Only touched pages take
// memory.
constexpr std::size_t kStackSize = 8u << 20;

thread_local Fiber* current = nullptr;

/// Tells the sanitizers, which track each stack, about every switch between stacks. Leave is called
/// on the old stack before the switch, Arrive on the new stack after it.
class SanitizerStackSwitch {
#if defined(PL_ADDRESS_SANITIZER)
 public:
  SanitizerStackSwitch() = default;
  SanitizerStackSwitch(const void* bottom, std::size_t size) : bottom_(bottom), size_(size) {}
  void Leave(const SanitizerStackSwitch& to, bool is_for_good = false) {
    __sanitizer_start_switch_fiber(is_for_good ? nullptr : &fake_stack_, to.bottom_, to.size_);
  }
  void Arrive(SanitizerStackSwitch& from) {
    __sanitizer_finish_switch_fiber(fake_stack_, &from.bottom_, &from.size_);
  }

 private:
  void* fake_stack_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
#elif defined(PL_THREAD_SANITIZER)
 public:
  SanitizerStackSwitch() = default;
  SanitizerStackSwitch(const void*, std::size_t) : is_own_(true), fiber_(__tsan_create_fiber(0)) {}
  ~SanitizerStackSwitch() {
    if (is_own_) __tsan_destroy_fiber(fiber_);
  }
  SanitizerStackSwitch(const SanitizerStackSwitch&) = delete;
  SanitizerStackSwitch& operator=(const SanitizerStackSwitch&) = delete;
  void Leave(const SanitizerStackSwitch& to, bool = false) {
    if (!is_own_) fiber_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(to.fiber_, 0);
  }
  void Arrive(const SanitizerStackSwitch&) {}

 private:
  bool is_own_ = false;
  void* fiber_ = nullptr;
#else
 public:
  SanitizerStackSwitch() = default;
  SanitizerStackSwitch(const void*, std::size_t) {}
  void Leave(const SanitizerStackSwitch&, bool = false) {}
  void Arrive(const SanitizerStackSwitch&) {}
#endif
};

}  // namespace

class Fiber::Stack {
 public:
  explicit Stack(Fiber& fiber) : Stack(fiber, Allocator(kStackSize)) {}
  ~Stack() {
    is_ending_ = true;
    Enter();
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  void Enter() {
    outside_switch_.Leave(inside_switch_);
    inside_ = std::move(inside_).resume();
    outside_switch_.Arrive(inside_switch_);
  }
  void Leave() {
    inside_switch_.Leave(outside_switch_);
    outside_ = std::move(outside_).resume();
    inside_switch_.Arrive(outside_switch_);
  }

 private:
  using Allocator = boost::context::protected_fixedsize_stack;

  Stack(Fiber& fiber, Allocator allocator) : Stack(fiber, allocator, allocator.allocate()) {}
  /// `memory.sp` is the upper end, because a stack grows downwards. The context that runs on the
  /// memory frees it.
  Stack(Fiber& fiber, Allocator allocator, boost::context::stack_context memory)
      : inside_switch_(static_cast<const char*>(memory.sp) - memory.size, memory.size),
        inside_(std::allocator_arg, boost::context::preallocated(memory.sp, memory.size, memory),
                allocator, [this, &fiber](boost::context::fiber&& outside) {
                  outside_ = std::move(outside);
                  inside_switch_.Arrive(outside_switch_);
                  Run(fiber);
                  inside_switch_.Leave(outside_switch_, /*is_for_good=*/true);
                  return std::move(outside_);
                }) {}

  void Run(Fiber& fiber) {
    while (!is_ending_) {
      fiber.task_();
      fiber.task_ = nullptr;
      Leave();
    }
  }

  SanitizerStackSwitch inside_switch_;
  SanitizerStackSwitch outside_switch_;
  boost::context::fiber inside_;
  boost::context::fiber outside_;
  bool is_ending_ = false;
};

Fiber::Fiber() : stack_(std::make_unique<Stack>(*this)) {}

Fiber::~Fiber() { PL_ASSERT(task_ == nullptr); }

Fiber* Fiber::Current() { return current; }

bool Fiber::SetPoller(std::shared_ptr<ThreadPoller>) { return false; }

void Fiber::SetTask(Task task) {
  PL_ASSERT(task_ == nullptr);
  task_ = std::move(task);
}

bool Fiber::Resume() {
  Fiber* const outer = std::exchange(current, this);
  stack_->Enter();
  current = outer;
  return task_ == nullptr;
}

void Fiber::Suspend() {
  PL_ASSERT(current == this);
  stack_->Leave();
}

}  // namespace plimsoll
