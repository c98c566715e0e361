#include "store/watch_hub.h"

#include <iterator>
#include <utility>

#include "store/detachable_sink.h"

namespace plimsoll::store {

/// State of one watch, shared by its handle and the hub.
class WatchHub::Subscription : public DetachableSink {
 public:
  Subscription(std::string of, Revision after, ChangeSink& sink)
      : DetachableSink(sink),
        prefix(std::move(of)),
        reads_before(sink.ReadsBefore()),
        seen(after) {}

  const std::string prefix;
  const bool reads_before;
  // Used by the changing thread only.
  Revision seen;
  bool is_behind = true;
};

class WatchHub::Handle final : public Watch {
 public:
  explicit Handle(std::shared_ptr<Subscription> subscription)
      : subscription_(std::move(subscription)) {}
  ~Handle() override { subscription_->Close(); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

 private:
  std::shared_ptr<Subscription> subscription_;
};

WatchHub::WatchHub() = default;
WatchHub::~WatchHub() = default;

std::unique_ptr<Watch> WatchHub::Add(std::string prefix, Revision after, ChangeSink& sink) {
  auto subscription = std::make_shared<Subscription>(std::move(prefix), after, sink);
  auto handle = std::make_unique<Handle>(subscription);
  const std::lock_guard lock(mutex_);
  new_.push_back(std::move(subscription));
  return handle;
}

bool WatchHub::HasNew() const {
  const std::lock_guard lock(mutex_);
  return !new_.empty();
}

void WatchHub::AdmitNew() {
  std::erase_if(watches_, [](const auto& watch) { return !watch->is_open(); });
  const std::lock_guard lock(mutex_);
  std::move(new_.begin(), new_.end(), std::back_inserter(watches_));
  new_.clear();
}

bool WatchHub::CatchUp(const Past& past) {
  AdmitNew();
  bool all = true;
  for (const auto& watch : watches_) {
    if (!watch->is_behind || !watch->is_open()) continue;
    if (watch->seen < past.latest()) {
      Result<std::vector<Change>> changes = past.Read(watch->prefix, watch->seen, watch->seen);
      if (!changes.has_value()) {
        watch->End(changes.error());
        continue;
      }
      if (!changes->empty()) watch->Deliver(*changes);
    }
    watch->is_behind = watch->seen < past.latest();
    all = all && !watch->is_behind;
  }
  return all;
}

bool WatchHub::NeedsBefore(std::string_view key) const {
  for (const auto& watch : watches_) {
    if (watch->reads_before && !watch->is_behind && key.starts_with(watch->prefix)) return true;
  }
  return false;
}

void WatchHub::Deliver(std::span<const Change> changes) {
  for (const auto& watch : watches_) {
    if (watch->is_behind) continue;
    // Matching changes are passed on as subspans, so that nothing is copied.
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= changes.size(); ++i) {
      if (i < changes.size() && changes[i].key.starts_with(watch->prefix)) continue;
      if (begin < i) watch->Deliver(changes.subspan(begin, i - begin));
      begin = i + 1;
    }
    watch->seen = changes.back().revision;
  }
}

void WatchHub::End(const Error& error) {
  AdmitNew();
  for (const auto& watch : watches_) watch->End(error);
  watches_.clear();
}

}  // namespace plimsoll::store
