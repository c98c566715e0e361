#include "client/client.h"

#include <algorithm>
#include <utility>

#include "client/target.h"
#include "client/watch_reader.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::client {
namespace {

constexpr int kGone = 410;

api::StatusObject Unreadable(const Error& error) {
  return api::InternalError("unable to decode the server's answer: " + error.Text());
}

api::StatusObject Stopped() {
  return api::FromError({.reason = Reason::Timeout, .message = "the request was cancelled"});
}

api::StatusObject LeadsNoMore() {
  return api::FromError(
      {.reason = Reason::Timeout, .message = "the lease is no longer held, so nothing is written"});
}

/// Fails if the name is empty. That path would be the collection's, and a delete with a forgotten
/// name must not delete the collection.
api::Answer<void> CheckNamed(const Resource& resource) {
  if (resource.name.empty()) {
    return std::unexpected(api::BadRequest("resource name may not be empty"));
  }
  if (resource.kind.is_namespaced && resource.namespace_.empty()) {
    return std::unexpected(
        api::BadRequest("an empty namespace may not be set when a resource name is provided"));
  }
  return {};
}

std::string DeleteOptionsJson(const DeleteOptions& options) {
  codec::Document document;
  codec::Value root = document.NewObject();
  document.Set(root, "apiVersion", codec::Value::String("v1"));
  document.Set(root, "kind", codec::Value::String("DeleteOptions"));
  if (options.grace_period_seconds) {
    document.Set(root, "gracePeriodSeconds", codec::Value::Int(*options.grace_period_seconds));
  }
  if (!options.propagation_policy.empty()) {
    document.Set(root, "propagationPolicy", codec::Value::String(options.propagation_policy));
  }
  if (!options.uid.empty() || !options.resource_version.empty()) {
    codec::Value preconditions = document.NewObject();
    if (!options.uid.empty()) {
      document.Set(preconditions, "uid", codec::Value::String(options.uid));
    }
    if (!options.resource_version.empty()) {
      document.Set(preconditions, "resourceVersion",
                   codec::Value::String(options.resource_version));
    }
    document.Set(root, "preconditions", preconditions);
  }
  if (options.dry_run) {
    codec::Value all = document.NewArray();
    document.Append(all, codec::Value::String("All"));
    document.Set(root, "dryRun", all);
  }
  return codec::WriteJson(root);
}

std::string_view ContentType(PatchType type) {
  switch (type) {
    case PatchType::Json:
      return "application/json-patch+json";
    case PatchType::Merge:
      return "application/merge-patch+json";
    case PatchType::StrategicMerge:
      return "application/strategic-merge-patch+json";
    case PatchType::Apply:
      break;
  }
  return "application/apply-patch+yaml";
}

std::string WriteTarget(const Resource& resource, const WriteOptions& options) {
  return TargetText(resource)
      .Query("fieldManager", options.field_manager)
      .Query("fieldValidation", options.field_validation)
      .Query("dryRun", options.dry_run ? std::string_view("All") : std::string_view())
      .Build();
}

void SetBody(net::Request& request, std::string body, std::string_view content_type) {
  request.body = std::move(body);
  request.headers.Add("Content-Type", std::string(content_type));
}

}  // namespace

Body::Body(const codec::Value& tree) : json(codec::WriteJson(tree)) {}

Client::Client(std::shared_ptr<net::Transport> transport, Clock& clock, ClientOptions options)
    : transport_(std::move(transport)), clock_(clock), options_(std::move(options)) {}

std::shared_ptr<StopSignal> Client::NewStopSignal() const {
  return std::make_shared<StopSignal>(transport_->NewCanceller());
}

net::Request Client::NewRequest(std::string method, std::string target) const {
  net::Request request{.method = std::move(method), .target = std::move(target)};
  request.headers = options_.headers;
  request.headers.Add("Accept", "application/json");
  request.headers.Add("User-Agent", options_.user_agent);
  if (options_.token != nullptr) {
    const std::string token = options_.token(clock_.Now());
    if (!token.empty()) request.headers.Add("Authorization", "Bearer " + token);
  }
  return request;
}

bool Client::IsFenced(const net::Request& request) const {
  return options_.fence != nullptr && request.method != "GET" && !options_.fence->IsOpen();
}

api::Answer<net::ClientResponse> Client::Send(const net::Request& request, const Call& call) const {
  const Duration timeout = call.timeout != Duration::zero() ? call.timeout : options_.timeout;
  const int retries_max = call.retries_max.value_or(options_.retries_max);
  const auto stop = call.stop != nullptr ? call.stop : std::make_shared<StopSignal>();
  if (stop->is_stopped()) return std::unexpected(Stopped());
  for (int retries = 0;; ++retries) {
    if (IsFenced(request)) return std::unexpected(LeadsNoMore());
    Result<net::ClientResponse> response = transport_->Fetch(request, timeout, stop->canceller());
    if (!response) return std::unexpected(api::FromError(response.error()));
    if (response->status < 300) return *std::move(response);
    const bool is_temporary = response->status == 429 || response->status >= 500;
    const std::optional<std::int32_t> retry_after = ReadRetryAfter(response->headers);
    if (!is_temporary || !retry_after || retries >= retries_max) {
      return std::unexpected(ReadRefusal(*response));
    }
    const Duration delay =
        std::min<Duration>(std::chrono::seconds(*retry_after), options_.retry_after_max);
    if (!stop->WaitUntil(clock_, clock_.Now() + delay)) return std::unexpected(Stopped());
  }
}

api::Answer<ObjectPtr> Client::SendForObject(const net::Request& request, const Call& call) const {
  net::ClientResponse response = PL_TRY(Send(request, call));
  if (!call.wants_object) return nullptr;
  if (const auto* const object = FindPayload<ObjectPtr>(response.payload)) return *object;
  Result<ObjectPtr> object = ReadObject(std::move(response.body));
  if (!object) return std::unexpected(Unreadable(object.error()));
  return *std::move(object);
}

api::Answer<std::string> Client::ServerVersion(const Call& call) const {
  const net::ClientResponse response = PL_TRY(Send(NewRequest("GET", "/version"), call));
  const auto document = codec::ParseJson(response.body);
  if (!document) return std::unexpected(Unreadable(document.error()));
  return std::string(TextAt((*document)->root(), "gitVersion"));
}

api::Answer<std::string> Client::GetText(std::string path, const Call& call) const {
  return PL_TRY(Send(NewRequest("GET", std::move(path)), call)).body;
}

api::Answer<std::reference_wrapper<const api::KindDesc>> Client::FindServed(
    const api::KindDesc& kind, const Call& call) const {
  const std::string group = "/apis/" + std::string(kind.group);
  const auto versions = ReadGroupVersions(PL_TRY(GetText(group, call)));
  if (!versions) return std::unexpected(Unreadable(versions.error()));
  const std::vector<const api::KindDesc*> alike = AlikeVersions(kind);
  for (const std::string& version : *versions) {
    const auto one = std::ranges::find(alike, version, [](const auto* it) { return it->version; });
    if (one == alike.end()) continue;
    const auto has = HasResource(PL_TRY(GetText(group + "/" + version, call)), kind.plural);
    if (!has) return std::unexpected(Unreadable(has.error()));
    if (!*has) continue;
    served_->Learn(**one);
    return std::cref(**one);
  }
  return std::unexpected(api::NoSuchPath());
}

api::Answer<DeclaredFields> Client::GetDeclaredFields(const api::KindDesc& kind,
                                                      const Call& call) const {
  const api::KindDesc& served = kind.group.empty() ? kind : PL_TRY(FindServed(kind, call)).get();
  const std::string path =
      served.group.empty() ? "api/" : "apis/" + std::string(served.group) + "/";
  auto declared = DeclaredFields::Read(
      PL_TRY(GetText("/openapi/v3/" + path + std::string(served.version), call)), served);
  if (!declared) return std::unexpected(api::FromError(declared.error()));
  return *std::move(declared);
}

/// Calls `work` with the version that is known to be served. If the server does not serve it, finds
/// another version and calls `work` once more.
template <class Work>
std::invoke_result_t<Work, const Resource&> Client::InServedVersion(const Resource& resource,
                                                                    const Call& call,
                                                                    const Work& work) const {
  const auto in = [&](const api::KindDesc& kind) {
    return work(Resource{kind, resource.namespace_, resource.name, resource.subresource});
  };
  const api::KindDesc& known = served_->Of(resource.kind);
  auto answer = in(known);
  if (answer || !IsUnservedPath(answer.error()) || AlikeVersions(known).size() < 2) return answer;
  const auto served = FindServed(known, call);
  if (!served || &served->get() == &known) return answer;
  return in(*served);
}

api::Answer<ObjectPtr> Client::Get(const Resource& resource, std::string_view resource_version,
                                   const Call& call) const {
  PL_TRY(CheckNamed(resource));
  return InServedVersion(resource, call, [&](const Resource& served) {
    return SendForObject(
        NewRequest("GET", TargetText(served).Query("resourceVersion", resource_version).Build()),
        call);
  });
}

api::Answer<api::ObjectList> Client::ListPage(const Resource& resource, const ListOptions& options,
                                              std::string_view continue_token,
                                              const Call& call) const {
  // A continued list has the resource version of its first page, and accepts no other.
  const bool is_first = continue_token.empty();
  TargetText target(resource);
  target.Query("labelSelector", options.label_selector)
      .Query("fieldSelector", options.field_selector)
      .Query("limit", options.limit)
      .Query("continue", continue_token);
  if (is_first) {
    target.Query("resourceVersion", options.resource_version)
        .Query("resourceVersionMatch", options.resource_version_match);
  }
  net::ClientResponse response = PL_TRY(Send(NewRequest("GET", target.Build()), call));
  if (const auto* const list = FindPayload<api::ObjectList>(response.payload)) return *list;
  Result<api::ObjectList> page = ReadList(std::move(response.body), resource.kind, options.is_lean);
  if (!page) return std::unexpected(Unreadable(page.error()));
  return *std::move(page);
}

api::Answer<api::ObjectList> Client::List(const Resource& resource, const ListOptions& options,
                                          const Call& call) const {
  return InServedVersion(resource, call,
                         [&](const Resource& served) { return ListAll(served, options, call); });
}

api::Answer<api::ObjectList> Client::ListAll(const Resource& resource, const ListOptions& options,
                                             const Call& call) const {
  api::ObjectList list = PL_TRY(ListPage(resource, options, {}, call));
  while (!list.continue_token.empty()) {
    api::Answer<api::ObjectList> page = ListPage(resource, options, list.continue_token, call);
    if (!page && page.error().code == kGone) {
      ListOptions whole = options;
      whole.limit = 0;
      return ListPage(resource, whole, {}, call);
    }
    if (!page) return std::unexpected(std::move(page).error());
    if (page->continue_token == list.continue_token) {
      return std::unexpected(
          api::InternalError("the server's list does not go on: a page continues at itself"));
    }
    list.continue_token = std::move(page->continue_token);
    list.resource_version = std::move(page->resource_version);
    list.objects.insert(list.objects.end(), std::make_move_iterator(page->objects.begin()),
                        std::make_move_iterator(page->objects.end()));
  }
  return list;
}

api::Answer<ObjectPtr> Client::Create(const Resource& resource, const Body& body,
                                      const WriteOptions& options, const Call& call) const {
  if (!resource.subresource.empty()) PL_TRY(CheckNamed(resource));
  if (resource.kind.is_namespaced && resource.namespace_.empty()) {
    return std::unexpected(api::BadRequest("an empty namespace may not be set during creation"));
  }
  // A create request goes to the collection.
  Resource collection = resource;
  if (resource.subresource.empty()) collection.name = {};
  return InServedVersion(collection, call, [&](const Resource& served) {
    net::Request request = NewRequest("POST", WriteTarget(served, options));
    SetBody(request, BodyInVersion(body.json, resource.kind, served.kind), "application/json");
    return SendForObject(request, call);
  });
}

api::Answer<ObjectPtr> Client::Update(const Resource& resource, const Body& body,
                                      const WriteOptions& options, const Call& call) const {
  PL_TRY(CheckNamed(resource));
  return InServedVersion(resource, call, [&](const Resource& served) {
    net::Request request = NewRequest("PUT", WriteTarget(served, options));
    SetBody(request, BodyInVersion(body.json, resource.kind, served.kind), "application/json");
    return SendForObject(request, call);
  });
}

api::Answer<ObjectPtr> Client::UpdateStatus(Resource resource, const Body& body,
                                            const WriteOptions& options, const Call& call) const {
  resource.subresource = "status";
  return Update(resource, body, options, call);
}

api::Answer<ObjectPtr> Client::Patch(const Resource& resource, const Body& body,
                                     const PatchOptions& options, const Call& call) const {
  PL_TRY(CheckNamed(resource));
  return InServedVersion(resource, call, [&](const Resource& served) {
    std::string target = TargetText(served)
                             .Query("fieldManager", options.field_manager)
                             .Query("force", options.force)
                             .Query("fieldValidation", options.field_validation)
                             .Query("dryRun", std::string_view(options.dry_run ? "All" : ""))
                             .Build();
    net::Request request = NewRequest("PATCH", std::move(target));
    SetBody(request, BodyInVersion(body.json, resource.kind, served.kind),
            ContentType(options.type));
    return SendForObject(request, call);
  });
}

api::Answer<ObjectPtr> Client::Delete(const Resource& resource, const DeleteOptions& options,
                                      const Call& call) const {
  PL_TRY(CheckNamed(resource));
  return InServedVersion(resource, call, [&](const Resource& served) {
    net::Request request = NewRequest("DELETE", TargetText(served).Build());
    SetBody(request, DeleteOptionsJson(options), "application/json");
    return SendForObject(request, call);
  });
}

api::Answer<void> Client::DeleteCollection(const Resource& resource, const DeleteOptions& options,
                                           const Call& call) const {
  return InServedVersion(resource, call, [&](const Resource& served) -> api::Answer<void> {
    net::Request request = NewRequest("DELETE", TargetText(served).Build());
    SetBody(request, DeleteOptionsJson(options), "application/json");
    PL_TRY(Send(request, call));
    return {};
  });
}

api::Answer<void> Client::Watch(const Resource& resource, const WatchOptions& options,
                                WatchSink& sink, const Call& call) const {
  return InServedVersion(
      resource, call, [&](const Resource& served) { return WatchAt(served, options, sink, call); });
}

api::Answer<void> Client::WatchAt(const Resource& resource, const WatchOptions& options,
                                  WatchSink& sink, const Call& call) const {
  TargetText target(resource);
  target.Query("watch", true)
      .Query("allowWatchBookmarks", options.allow_bookmarks)
      .Query("labelSelector", options.label_selector)
      .Query("fieldSelector", options.field_selector)
      .Query("resourceVersion", options.resource_version)
      .Query("timeoutSeconds", options.timeout_seconds);
  if (options.send_initial_events) {
    target.Query("sendInitialEvents", true)
        .Query("resourceVersionMatch", std::string_view("NotOlderThan"));
  }
  if (call.stop != nullptr && call.stop->is_stopped()) return std::unexpected(Stopped());
  WatchReader reader(sink, resource.kind, options.unread);
  const Status ended = transport_->Receive(NewRequest("GET", target.Build()), reader,
                                           call.stop != nullptr ? call.stop->canceller() : nullptr);
  if (std::optional<api::StatusObject> refusal = reader.Finish()) {
    return std::unexpected(*std::move(refusal));
  }
  if (!ended) return std::unexpected(api::FromError(ended.error()));
  return {};
}

}  // namespace plimsoll::client
