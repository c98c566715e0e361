#include "base/wake_batch.h"

#include <utility>
#include <vector>

namespace plimsoll {
namespace {

struct Held {
  bool is_holding = false;
  std::vector<Task> tasks;
};

thread_local Held held;

}  // namespace

WakeBatch::WakeBatch() : is_outer_(!std::exchange(held.is_holding, true)) {}

WakeBatch::~WakeBatch() {
  if (!is_outer_) return;
  held.is_holding = false;
  LetGo();
}

void WakeBatch::LetGo() {
  // A task may delay further wake-ups of this thread.
  while (!held.tasks.empty()) {
    std::vector<Task> tasks = std::move(held.tasks);
    held.tasks.clear();
    for (Task& task : tasks) task();
    tasks.clear();
    if (held.tasks.empty()) held.tasks = std::move(tasks);  // reuse its memory
  }
}

void Wake(Task task) {
  if (!held.is_holding) return task();
  held.tasks.push_back(std::move(task));
}

}  // namespace plimsoll
