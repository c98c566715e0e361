#include <utility>
#include <vector>

#include "base/async.h"

namespace plimsoll {
namespace {

struct DelayedWakes {
  bool is_delaying = false;
  std::vector<Task> tasks;
};

thread_local DelayedWakes delayed;

}  // namespace

WakeBatch::WakeBatch() : is_outer_(!std::exchange(delayed.is_delaying, true)) {}

WakeBatch::~WakeBatch() {
  if (!is_outer_) return;
  delayed.is_delaying = false;
  Flush();
}

void WakeBatch::Flush() {
  // A task may delay further wake-ups of this thread.
  while (!delayed.tasks.empty()) {
    std::vector<Task> tasks = std::move(delayed.tasks);
    delayed.tasks.clear();
    for (Task& task : tasks) task();
    tasks.clear();
    if (delayed.tasks.empty()) delayed.tasks = std::move(tasks);  // reuse its memory
  }
}

void Wake(Task task) {
  if (!delayed.is_delaying) return task();
  delayed.tasks.push_back(std::move(task));
}

}  // namespace plimsoll
