#include "apiserver/cache/cache.h"

#include <fmt/format.h>

#include <utility>

#include "apiserver/cache/live_cache.h"
#include "base/baton.h"

namespace plimsoll::apiserver {
namespace {

/// Cache that owns a LiveCache and stops it at its end.
class OwnedCache final : public Cache {
 public:
  explicit OwnedCache(std::shared_ptr<LiveCache> live) : live_(std::move(live)) {}
  ~OwnedCache() override { live_->Stop(); }
  OwnedCache(const OwnedCache&) = delete;
  OwnedCache& operator=(const OwnedCache&) = delete;

  ObjectPtr Get(const Resource& resource, std::string_view namespace_,
                std::string_view name) const override {
    return live_->Of(resource).Get(namespace_, name);
  }
  Result<ObjectPtr> GetLatest(const Resource& resource, std::string_view namespace_,
                              std::string_view name) override {
    return live_->GetLatest(resource, namespace_, name);
  }
  std::optional<ObjectId> FindUnreadable(const Resource& resource, std::string_view namespace_,
                                         std::string_view name) const override {
    return live_->Of(resource).FindUnreadable(namespace_, name);
  }
  Picture List(const Resource& resource, const Selection& selection,
               std::size_t limit) const override {
    return live_->Of(resource).List(selection, limit, live_->revision());
  }
  std::size_t CountAfter(const Resource& resource, std::string_view namespace_,
                         std::string_view key) const override {
    return live_->Of(resource).CountAfter(namespace_, key);
  }
  std::size_t Count(const Resource& resource) const override { return live_->Of(resource).Count(); }
  store::Revision revision() const override { return live_->revision(); }
  void WhenReached(store::Revision revision, Duration timeout,
                   std::move_only_function<void(bool)> done) override {
    live_->WhenReached(revision, timeout, std::move(done));
  }
  Result<std::unique_ptr<CacheSubscription>> Subscribe(const Resource& resource,
                                                       const Selection& selection,
                                                       store::Revision after,
                                                       CacheObserver& observer) override {
    return live_->Of(resource).Subscribe(selection, after, observer, Reflected());
  }
  std::unique_ptr<CacheSubscription> SubscribeNow(const Resource& resource,
                                                  const Selection& selection,
                                                  CacheObserver& observer,
                                                  Picture& picture) override {
    return live_->Of(resource).SubscribeNow(selection, observer, picture, Reflected());
  }

 private:
  std::function<store::Revision()> Reflected() const {
    return [live = live_] { return live->revision(); };
  }

  std::shared_ptr<LiveCache> live_;
};

}  // namespace

Status Cache::WaitFor(store::Revision revision, Duration timeout) {
  bool is_reached = false;
  Baton done;
  WhenReached(revision, timeout, [&](bool reached) {
    is_reached = reached;
    done.Post();
  });
  done.Wait();
  if (!is_reached) {
    return Fail(Reason::Timeout,
                fmt::format("timed out waiting for the cache to reach resource version {}",
                            store::Number(revision)));
  }
  return {};
}

Result<std::unique_ptr<Cache>> Cache::Start(store::Store& store, const ResourceTable& resources,
                                            Clock& clock, Logger& log, MetricsRegistry& metrics) {
  const auto live = std::make_shared<LiveCache>(store, resources, clock, log, metrics);
  auto owned = std::make_unique<OwnedCache>(live);
  PL_TRY(live->Start());
  return owned;
}

}  // namespace plimsoll::apiserver
