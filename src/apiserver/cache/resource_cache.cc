#include "apiserver/cache/resource_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace plimsoll::apiserver {

class ResourceCache::Subscription final : public CacheSubscription {
 public:
  Subscription(std::shared_ptr<ResourceCache> cache, const Selection& selection,
               store::Revision after, CacheObserver& observer,
               std::function<store::Revision()> reflected)
      : cache_(std::move(cache)), reflected_(std::move(reflected)) {
    member_.observer = &observer;
    member_.after = after;
    cache_->groups_.Add(member_, selection);
  }
  ~Subscription() override {
    const std::scoped_lock lock(cache_->delivery_mutex_);
    cache_->groups_.Remove(member_);
  }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

  void BetweenEvents(const std::function<void(store::Revision)>& visit) override {
    const std::scoped_lock lock(cache_->delivery_mutex_);
    visit(std::max({reflected_(), cache_->objects_.revision, member_.after}));
  }

  const WatcherGroups::Member& member() const { return member_; }

 private:
  std::shared_ptr<ResourceCache> cache_;
  std::function<store::Revision()> reflected_;
  WatcherGroups::Member member_;
};

ObjectPtr ResourceCache::Get(std::string_view namespace_, std::string_view name) const {
  const std::shared_lock lock(objects_lock_);
  return objects_.all.Find(namespace_, name);
}

std::size_t ResourceCache::Count() const {
  const std::shared_lock lock(objects_lock_);
  return objects_.all.size();
}

std::size_t ResourceCache::CountAfter(std::string_view namespace_, std::string_view key) const {
  const std::size_t slash = key.find('/');
  const bool has_namespace = slash != std::string_view::npos;
  const std::string_view key_namespace = has_namespace ? key.substr(0, slash) : std::string_view();
  const std::shared_lock lock(objects_lock_);
  return objects_.all.CountAfter(namespace_, key_namespace,
                                 key.substr(has_namespace ? slash + 1 : 0));
}

Picture ResourceCache::List(const Selection& selection, std::size_t limit,
                            store::Revision floor) const {
  Picture picture;
  const auto name = selection.Pinned("metadata.name");
  const std::string_view indexed = IndexedField(resource_);
  const auto index = indexed.empty() ? std::nullopt : selection.Pinned(indexed);
  ObjectOrder::Picture candidates;
  {
    const std::shared_lock lock(objects_lock_);
    picture.revision = std::max(floor, objects_.revision);
    if (name && selection.namespace_.empty() != resource_.kind->is_namespaced) {
      ObjectPtr object = objects_.all.Find(selection.namespace_, *name);
      if (object) picture.objects.push_back(std::move(object));
    } else if (index) {
      const auto found = objects_.by_index.find(*index);
      if (found != objects_.by_index.end()) candidates = found->second->All();
    } else if (!selection.namespace_.empty()) {
      candidates = objects_.all.Namespace(selection.namespace_);
    } else {
      candidates = objects_.all.All();
    }
  }
  std::erase_if(picture.objects, [&](const ObjectPtr& it) { return !selection.Matches(*it); });
  const bool takes_all = selection.labels.empty() && selection.fields.empty() && !index;
  const std::size_t count = takes_all ? candidates.size() : 0;
  if (takes_all) picture.objects.reserve(limit == 0 ? count : std::min(limit, count));
  candidates.ForEachWhile([&](const ObjectPtr& object) {
    if (!takes_all && !selection.Matches(*object)) return true;
    picture.has_more = limit != 0 && picture.objects.size() == limit;
    if (!picture.has_more) picture.objects.push_back(object);
    return !picture.has_more;
  });
  if (picture.has_more && takes_all) picture.remaining = count - limit;
  return picture;
}

void ResourceCache::Index(const ObjectPtr& object) {
  const std::string_view field = IndexedField(resource_);
  if (field.empty()) return;
  const std::string_view value = object->Field(field);
  auto found = objects_.by_index.find(value);
  if (found == objects_.by_index.end()) {
    found = objects_.by_index.emplace(std::string(value), std::make_unique<ObjectOrder>()).first;
  }
  found->second->Put(object);
}

void ResourceCache::Unindex(const StoredObject& object) {
  const std::string_view field = IndexedField(resource_);
  if (field.empty()) return;
  const auto found = objects_.by_index.find(object.Field(field));
  if (found == objects_.by_index.end()) return;
  found->second->Remove(object.namespace_(), object.name());
  if (found->second->size() == 0) objects_.by_index.erase(found);
}

ObjectPtr ResourceCache::Put(const ObjectPtr& object) {
  ObjectPtr before = objects_.all.Put(object);
  const std::string_view field = IndexedField(resource_);
  if (before && before->Field(field) != object->Field(field)) Unindex(*before);
  Index(object);
  return before;
}

ObjectPtr ResourceCache::Remove(std::string_view namespace_, std::string_view name) {
  ObjectPtr removed = objects_.all.Remove(namespace_, name);
  if (removed) Unindex(*removed);
  return removed;
}

void ResourceCache::NoteReadable(std::string_view namespace_, std::string_view name,
                                 bool is_readable) {
  if (is_readable && !has_unreadable_) return;
  const std::scoped_lock lock(objects_lock_);
  ObjectId id{std::string(namespace_), std::string(name)};
  if (is_readable) {
    objects_.unreadable.erase(id);
  } else {
    objects_.unreadable.insert(std::move(id));
  }
  has_unreadable_ = !objects_.unreadable.empty();
}

std::optional<ObjectId> ResourceCache::FindUnreadable(std::string_view namespace_,
                                                      std::string_view name) const {
  if (!has_unreadable_) return std::nullopt;
  const std::shared_lock lock(objects_lock_);
  const std::set<ObjectId>& all = objects_.unreadable;
  auto found = all.lower_bound({std::string(namespace_), std::string(name)});
  if (found == all.end()) return std::nullopt;
  if (!name.empty() && found->name != name) return std::nullopt;
  if ((!name.empty() || !namespace_.empty()) && found->namespace_ != namespace_) {
    return std::nullopt;
  }
  return *found;
}

void ResourceCache::Load(const ObjectPtr& object) {
  const std::scoped_lock lock(objects_lock_);
  objects_.revision = std::max(objects_.revision, object->revision());
  Put(object);
}

void ResourceCache::BeginHistory(store::Revision floor) {
  const std::scoped_lock lock(delivery_mutex_);
  ring_.Reset(floor);
}

void ResourceCache::AddHistory(std::shared_ptr<const CacheEvent> event, Instant now) {
  const std::scoped_lock lock(delivery_mutex_);
  ring_.Push(std::move(event), now);
}

void ResourceCache::Apply(store::Revision revision, std::string_view namespace_,
                          std::string_view name, const ObjectPtr& value, Instant now) {
  const std::scoped_lock lock(delivery_mutex_);
  const auto event = std::make_shared<CacheEvent>();
  event->revision = revision;
  event->now = value;
  {
    const std::scoped_lock objects_lock(objects_lock_);
    event->before = value ? Put(value) : Remove(namespace_, name);
    objects_.revision = revision;
  }
  if (!event->now && !event->before) return;
  received_.Add();
  ring_.Push(event, now);
  const std::size_t told = groups_.Deliver(event);
  if (told > 0) dispatched_.Add(static_cast<double>(told));
  event->forms = {};
}

void ResourceCache::ReplaceBy(ResourceCache& fresh) {
  const std::scoped_lock lock(delivery_mutex_);
  {
    const std::scoped_lock objects_lock(objects_lock_, fresh.objects_lock_);
    objects_.all.Swap(fresh.objects_.all);
    objects_.by_index.swap(fresh.objects_.by_index);
    objects_.revision = std::max(objects_.revision, fresh.objects_.revision);
    objects_.unreadable.swap(fresh.objects_.unreadable);
    has_unreadable_ = !objects_.unreadable.empty();
  }
  ring_.Reset(fresh.ring_.floor());
  groups_.ResetAll();
}

Result<std::unique_ptr<CacheSubscription>> ResourceCache::Subscribe(
    const Selection& selection, store::Revision after, CacheObserver& observer,
    std::function<store::Revision()> reflected) {
  const std::scoped_lock lock(delivery_mutex_);
  if (after < ring_.floor()) {
    return Fail(Reason::Expired, fmt::format("too old resource version: {} ({})",
                                             store::Number(after), store::Number(ring_.floor())));
  }
  auto subscription = std::make_unique<Subscription>(shared_from_this(), selection, after, observer,
                                                     std::move(reflected));
  ring_.ForEachAfter(after, [&](const EventRing::Pointer& event) {
    if (!groups_.Concerns(subscription->member(), *event)) return;
    observer.OnEvent(event);
    event->forms = {};
  });
  return subscription;
}

std::unique_ptr<CacheSubscription> ResourceCache::SubscribeNow(
    const Selection& selection, CacheObserver& observer, Picture& picture,
    std::function<store::Revision()> reflected) {
  const std::scoped_lock lock(delivery_mutex_);
  picture = List(selection, 0, reflected());
  return std::make_unique<Subscription>(shared_from_this(), selection, picture.revision, observer,
                                        std::move(reflected));
}

}  // namespace plimsoll::apiserver
