#include <fmt/format.h>

#include "api/schema/api_version.h"
#include "apiserver/read/list_options.h"
#include "apiserver/read/served_object.h"
#include "apiserver/response/negotiation.h"
#include "apiserver/write/body.h"
#include "apiserver/write/delete.h"
#include "apiserver/write/versions.h"
#include "apiserver/write/write_path.h"

namespace plimsoll::apiserver {
namespace {

using Step = DeletionPlan::Step;

// Number of writes in flight, which share their fsyncs.
constexpr std::size_t kBatch = 256;

/// An object and the remaining steps of its deletion.
struct Item {
  WriteTarget target;
  ObjectPtr object;
  DeletionPlan plan;
  bool is_marked = false;  // has its deletionTimestamp from this request
};

/// Deletes an object whose write has failed, which yields the reason of the failure.
api::Answer<void> DeleteAlone(Writer& writer, const Item& item, DeleteOptions options) {
  // The mark has changed the resourceVersion that the precondition named.
  if (item.is_marked) options.resource_version.reset();
  const api::Answer<Deleted> deleted = DeleteObject(writer, item.target, options);
  if (!deleted && deleted.error().code != 404) return std::unexpected(deleted.error());
  return {};
}

/// Commits the next write of each item. Repeats conflicting and failed ones one by one.
api::Answer<void> Advance(Writer& writer, const DeleteOptions& options, std::vector<Item>& items) {
  std::vector<store::Write> writes;
  for (const Item& item : items) {
    std::string key = item.target.resource->KeyOf(item.target.namespace_, item.target.name);
    if (item.plan.step == Step::Remove) {
      writes.push_back({std::move(key), nullptr, item.object->revision()});
    } else {
      writes.push_back(MakeWrite(std::move(key), item.plan.marked, item.object->revision()));
    }
  }
  const auto results = writer.parts().store.CommitAllAndWait(std::move(writes));
  std::vector<Item> left;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Item& item = items[i];
    if (!results[i]) {
      PL_TRY(DeleteAlone(writer, item, options));
      continue;
    }
    if (item.plan.step != Step::MarkThenRemove) continue;
    item.object = item.object->At(*results[i]);
    item.plan = DeletionPlan{.step = Step::Remove, .marked = {}};
    item.is_marked = true;
    left.push_back(std::move(item));
  }
  items = std::move(left);
  return {};
}

api::Answer<void> DeleteBatch(Writer& writer, const WriteTarget& target,
                              const DeleteOptions& options, std::span<const ObjectPtr> objects) {
  std::vector<Item> items;
  for (const ObjectPtr& object : objects) {
    Item item{.target = target, .object = object, .plan = {}};
    item.target.namespace_ = object->namespace_();
    item.target.name = object->name();
    const auto before = PL_TRY(object->Decode());
    PL_TRY(CheckPreconditions(item.target, options, object->uid(), VersionOf(*object)));
    AdmissionAttributes attributes =
        AttributesOf(item.target, Operation::Delete, nullptr, before.get());
    PL_TRY(writer.Admit(attributes));
    PL_TRY(writer.Validate(attributes));
    item.plan = PlanDeletion(*target.resource, *before, options, writer.parts().clock.Now());
    if (item.plan.step != Step::Keep) items.push_back(std::move(item));
  }
  if (target.is_dry_run) return {};
  while (!items.empty()) PL_TRY(Advance(writer, options, items));
  return {};
}

std::string ListJson(const Resource& resource, const Picture& picture) {
  std::string out = fmt::format(
      R"({{"kind":"{}","apiVersion":"{}","metadata":{{"resourceVersion":"{}"}},"items":[)",
      resource.kind->list_kind, ApiVersionOf(*resource.kind), store::Number(picture.revision));
  for (const ObjectPtr& object : picture.objects) {
    if (out.back() != '[') out += ',';
    out += *AsServed(resource, object)->bytes();
  }
  return out + "]}";
}

}  // namespace

api::Answer<net::Response> ServeDeleteCollection(Writer& writer, ApiRequest& request) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const Selection selection = PL_TRY(ReadListOptions(request, false)).selection;
  const DeleteOptions options = PL_TRY(ReadDeleteOptions(request));
  const WriteTarget target = StoredTarget(writer, DeleteTarget(request, options));
  const Picture picture = writer.parts().cache.List(*target.resource, selection);
  const std::span<const ObjectPtr> all = picture.objects;
  for (std::size_t done = 0; done < all.size(); done += kBatch) {
    PL_TRY(DeleteBatch(writer, target, options,
                       all.subspan(done, std::min(kBatch, all.size() - done))));
  }
  return RespondJson(request, wanted, 200, ListJson(*request.resource, picture));
}

}  // namespace plimsoll::apiserver
