#include "apiserver/cache/watch_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace plimsoll::apiserver {

Watcher::Watcher(std::shared_ptr<WatchCache> cache, const Selection& selection,
                 store::Revision after, CacheObserver& observer)
    : cache_(std::move(cache)) {
  entry_.observer = &observer;
  entry_.after = after;
  cache_->watchers_.Add(entry_, selection);
}

Watcher::~Watcher() {
  const std::scoped_lock lock(cache_->delivery_mutex_);
  cache_->watchers_.Remove(entry_);
}

void Watcher::BetweenEvents(const std::function<void(store::Revision)>& visit) {
  const std::scoped_lock lock(cache_->delivery_mutex_);
  visit(std::max(
      {store::Revision{cache_->reflected_->load()}, cache_->objects_.revision, entry_.after}));
}

ObjectPtr WatchCache::Get(std::string_view namespace_, std::string_view name) const {
  const std::shared_lock lock(objects_lock_);
  return objects_.all.Find(namespace_, name);
}

std::size_t WatchCache::Count() const {
  const std::shared_lock lock(objects_lock_);
  return objects_.all.size();
}

std::size_t WatchCache::CountAfter(std::string_view namespace_, std::string_view key) const {
  const std::size_t slash = key.find('/');
  const bool has_namespace = slash != std::string_view::npos;
  const std::string_view key_namespace = has_namespace ? key.substr(0, slash) : std::string_view();
  const std::shared_lock lock(objects_lock_);
  return objects_.all.CountAfter(namespace_, key_namespace,
                                 key.substr(has_namespace ? slash + 1 : 0));
}

Picture WatchCache::List(const Selection& selection, std::size_t limit) const {
  Picture picture;
  const store::Revision reflected{reflected_->load()};
  const auto name = selection.Pinned("metadata.name");
  const std::string_view indexed = IndexedField(resource_);
  const auto index = indexed.empty() ? std::nullopt : selection.Pinned(indexed);
  ObjectOrder::Picture candidates;
  {
    const std::shared_lock lock(objects_lock_);
    picture.revision = std::max(reflected, objects_.revision);
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

void WatchCache::Index(const ObjectPtr& object) {
  const std::string_view field = IndexedField(resource_);
  if (field.empty()) return;
  const std::string_view value = object->Field(field);
  auto found = objects_.by_index.find(value);
  if (found == objects_.by_index.end()) {
    found = objects_.by_index.emplace(std::string(value), std::make_unique<ObjectOrder>()).first;
  }
  found->second->Put(object);
}

void WatchCache::Unindex(const StoredObject& object) {
  const std::string_view field = IndexedField(resource_);
  if (field.empty()) return;
  const auto found = objects_.by_index.find(object.Field(field));
  if (found == objects_.by_index.end()) return;
  found->second->Remove(object.namespace_(), object.name());
  if (found->second->size() == 0) objects_.by_index.erase(found);
}

ObjectPtr WatchCache::Put(const ObjectPtr& object) {
  ObjectPtr before = objects_.all.Put(object);
  const std::string_view field = IndexedField(resource_);
  if (before && before->Field(field) != object->Field(field)) Unindex(*before);
  Index(object);
  return before;
}

ObjectPtr WatchCache::Remove(std::string_view namespace_, std::string_view name) {
  ObjectPtr removed = objects_.all.Remove(namespace_, name);
  if (removed) Unindex(*removed);
  return removed;
}

void WatchCache::NoteReadable(std::string_view namespace_, std::string_view name,
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

std::optional<ObjectId> WatchCache::FindUnreadable(std::string_view namespace_,
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

void WatchCache::Load(const ObjectPtr& object) {
  const std::scoped_lock lock(objects_lock_);
  objects_.revision = std::max(objects_.revision, object->revision());
  Put(object);
}

void WatchCache::BeginHistory(store::Revision floor) {
  const std::scoped_lock lock(delivery_mutex_);
  ring_.Reset(floor);
}

void WatchCache::AddHistory(std::shared_ptr<const CacheEvent> event, Instant now) {
  const std::scoped_lock lock(delivery_mutex_);
  ring_.Push(std::move(event), now);
}

void WatchCache::Apply(store::Revision revision, std::string_view namespace_, std::string_view name,
                       const ObjectPtr& value, Instant now) {
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
  const std::size_t told = watchers_.Deliver(event);
  if (told > 0) dispatched_.Add(static_cast<double>(told));
  event->forms = {};
}

void WatchCache::ReplaceBy(WatchCache& fresh) {
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
  watchers_.ResetAll();
}

Result<std::unique_ptr<Watcher>> WatchCache::Subscribe(const Selection& selection,
                                                       store::Revision after,
                                                       CacheObserver& observer) {
  const std::scoped_lock lock(delivery_mutex_);
  if (after < ring_.floor()) {
    return Fail(Reason::Expired, fmt::format("too old resource version: {} ({})",
                                             store::Number(after), store::Number(ring_.floor())));
  }
  auto watcher = std::make_unique<Watcher>(shared_from_this(), selection, after, observer);
  ring_.ForEachAfter(after, [&](const EventRing::Pointer& event) {
    if (!watchers_.Concerns(watcher->entry_, *event)) return;
    observer.OnEvent(event);
    event->forms = {};
  });
  return watcher;
}

std::unique_ptr<Watcher> WatchCache::SubscribeNow(const Selection& selection,
                                                  CacheObserver& observer, Picture& picture) {
  const std::scoped_lock lock(delivery_mutex_);
  picture = List(selection, 0);
  return std::make_unique<Watcher>(shared_from_this(), selection, picture.revision, observer);
}

}  // namespace plimsoll::apiserver
