#include "cli/demo/await_objects.h"

#include <utility>

namespace plimsoll::cli {
namespace {

constexpr Duration kRetryDelay = std::chrono::milliseconds(200);
constexpr int kFailuresMax = 25;

/// Follows the objects, and ends the watch when the condition holds.
class Follower final : public client::WatchSink {
 public:
  explicit Follower(const std::function<bool(const NamedObjects&)>& holds) : holds_(holds) {}

  bool OnEvent(api::WatchEvent event) override {
    if (event.ends_initial_events) has_all_ = true;
    if (event.object != nullptr) {
      std::string name(event.object->metadata().name);
      if (event.type == api::WatchEvent::Type::Deleted) {
        objects_.erase(name);
      } else {
        objects_[std::move(name)] = std::move(event.object);
      }
    }
    is_met_ = has_all_ && holds_(objects_);
    return !is_met_;
  }

  bool is_met() const { return is_met_; }
  NamedObjects Take() { return std::move(objects_); }

 private:
  const std::function<bool(const NamedObjects&)>& holds_;
  NamedObjects objects_;
  bool has_all_ = false;
  bool is_met_ = false;
};

}  // namespace

Result<NamedObjects> AwaitObjects(const client::Client& client, const ObjectSelection& selection,
                                  std::string_view what,
                                  const std::function<bool(const NamedObjects&)>& holds,
                                  const std::shared_ptr<client::StopSignal>& stop) {
  int failures = 0;
  while (!stop->is_stopped()) {
    // The server ends every watch after some minutes. A new one begins with all objects.
    Follower follower(holds);
    const auto watched = client.Watch({selection.kind, selection.namespace_},
                                      {.label_selector = selection.label_selector,
                                       .field_selector = selection.field_selector,
                                       .send_initial_events = true},
                                      follower, {.stop = stop});
    if (follower.is_met()) return follower.Take();
    if (watched || stop->is_stopped()) continue;
    if (++failures == kFailuresMax) return std::unexpected(api::ToError(watched.error()));
    stop->WaitUntil(client.clock(), client.clock().Now() + kRetryDelay);
  }
  return Fail(Reason::Timeout, "this did not happen: " + std::string(what));
}

}  // namespace plimsoll::cli
