#include "controller/controller_set.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/assert.h"

namespace plimsoll::controller {
namespace {

// An outside action id is the controller's own id, shifted, plus the controller's index.
constexpr unsigned kPlaceBits = 8;

ActionId Outside(ActionId own, std::size_t place) { return own << kPlaceBits | place; }
ActionId Own(ActionId outside) { return outside >> kPlaceBits; }
std::size_t PlaceOf(ActionId outside) { return outside & ((1u << kPlaceBits) - 1); }

}  // namespace

void ControllerSet::Add(std::unique_ptr<Controller> controller) {
  const std::size_t place = controllers_.size();
  PL_ASSERT(place < (1u << kPlaceBits));
  for (const WatchedKind& watched : controller->watched()) {
    const api::KindDesc* const kind = api::FindKind(watched.group, watched.version, watched.kind);
    PL_ASSERT(kind != nullptr);
    std::vector<std::size_t>& watchers = watchers_[kind->type];
    if (watchers.empty()) {
      watched_.push_back(watched);
      unread_.emplace_back(watched.unread.begin(), watched.unread.end());
    } else {
      const auto shared = std::ranges::find(watched_, kind->type, [](const WatchedKind& one) {
        return api::FindKind(one.group, one.version, one.kind)->type;
      });
      std::erase_if(unread_[static_cast<std::size_t>(shared - watched_.begin())],
                    [&](std::string_view path) {
                      return std::ranges::find(watched.unread, path) == watched.unread.end();
                    });
    }
    watchers.push_back(place);
  }
  controllers_.push_back(std::move(controller));
  for (std::size_t i = 0; i < watched_.size(); ++i) watched_[i].unread = unread_[i];
}

template <class Call>
void ControllerSet::CallOne(std::size_t index, const Turn& turn, const Call& call) {
  Controller& controller = *controllers_[index];
  const std::size_t before = turn.out.size();
  std::exception_ptr fault;
  try {
    call(controller);
  } catch (...) {
    fault = std::current_exception();
  }
  // After an exception too: the controller awaits the outcomes of actions requested before it.
  for (std::size_t i = before; i < turn.out.size(); ++i) {
    std::visit(
        [&](auto& action) {
          if constexpr (requires { action.component; }) action.component = controller.component();
          if constexpr (requires { action.id; }) action.id = Outside(action.id, index);
        },
        turn.out[i]);
  }
  if (fault && !fault_) fault_ = fault;
}

/// Rethrows the first exception only after all controllers have seen the event.
void ControllerSet::ThrowFault() {
  if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
}

void ControllerSet::Observe(const CoreInput& event, const Turn& turn) {
  if (const auto* const finished = std::get_if<ActionFinished>(&event)) {
    const CoreInput own =
        ActionFinished{Own(finished->id), finished->status, finished->object, finished->body};
    CallOne(PlaceOf(finished->id), turn, [&](Controller& one) { one.Observe(own, turn); });
    return ThrowFault();
  }
  if (const auto* const changed = std::get_if<ObjectChanged>(&event)) {
    const ObjectPtr& object = changed->new_object ? changed->new_object : changed->old_object;
    const auto at = watchers_.find(object->kind().type);
    if (at == watchers_.end()) return;
    for (const std::size_t i : at->second) {
      CallOne(i, turn, [&](Controller& one) { one.Observe(event, turn); });
    }
    return ThrowFault();
  }
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    CallOne(i, turn, [&](Controller& one) { one.Observe(event, turn); });
  }
  ThrowFault();
}

void ControllerSet::Wake(const Turn& turn) {
  for (std::size_t i = 0; i < controllers_.size(); ++i) {
    const std::optional<Instant> next = controllers_[i]->NextWake();
    if (!next || *next > turn.now) continue;
    CallOne(i, turn, [&](Controller& one) { one.Wake(turn); });
  }
  ThrowFault();
}

std::optional<Instant> ControllerSet::NextWake() const {
  std::optional<Instant> first;
  for (const auto& controller : controllers_) {
    const std::optional<Instant> next = controller->NextWake();
    if (next && (!first || *next < *first)) first = next;
  }
  return first;
}

}  // namespace plimsoll::controller
