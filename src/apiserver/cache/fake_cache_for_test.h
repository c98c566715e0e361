#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/cache/cache.h"

namespace plimsoll::apiserver {

/// Cache that delivers no events itself and can simulate the loss of its store.
class FakeCache final : public Cache {
 public:
  class Subscription final : public CacheSubscription {
   public:
    void BetweenEvents(const std::function<void(store::Revision)>&) override {}
  };

  explicit FakeCache(Cache& inner) : inner_(inner) {}
  ObjectPtr Get(const Resource& resource, std::string_view namespace_,
                std::string_view name) const override {
    return inner_.Get(resource, namespace_, name);
  }
  Result<ObjectPtr> GetLatest(const Resource& resource, std::string_view namespace_,
                              std::string_view name) override {
    return inner_.GetLatest(resource, namespace_, name);
  }
  Picture List(const Resource& resource, const Selection& selection,
               std::size_t limit) const override {
    return inner_.List(resource, selection, limit);
  }
  std::size_t CountAfter(const Resource& resource, std::string_view namespace_,
                         std::string_view key) const override {
    return inner_.CountAfter(resource, namespace_, key);
  }
  std::size_t Count(const Resource& resource) const override { return inner_.Count(resource); }
  store::Revision revision() const override { return inner_.revision(); }
  void WhenReached(store::Revision revision, Duration timeout,
                   std::move_only_function<void(bool)> done) override {
    inner_.WhenReached(revision, timeout, std::move(done));
  }
  Result<std::unique_ptr<CacheSubscription>> Subscribe(const Resource&, const Selection&,
                                                       store::Revision, CacheObserver&) override {
    return Fail(Reason::Expired, "not here");
  }
  /// Lists the objects. Delivers `early`, if set, before the caller has them.
  std::unique_ptr<CacheSubscription> SubscribeNow(const Resource& resource, const Selection&,
                                                  CacheObserver& observer,
                                                  Picture& picture) override {
    picture = inner_.List(resource, {});
    observers.push_back(&observer);
    if (early != nullptr && &early->now->resource() == &resource) observer.OnEvent(early);
    return std::make_unique<Subscription>();
  }

  /// Calls OnReset of all observers and removes them.
  void Reset() {
    for (CacheObserver* const observer : std::exchange(observers, {})) observer->OnReset();
  }

  std::vector<CacheObserver*> observers;
  std::shared_ptr<const CacheEvent> early;

 private:
  Cache& inner_;
};

}  // namespace plimsoll::apiserver
