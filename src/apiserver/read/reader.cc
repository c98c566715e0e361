#include "apiserver/read/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/watch_event.h"
#include "apiserver/read/scale.h"
#include "apiserver/read/served_object.h"
#include "base/async.h"
#include "base/go_text.h"

namespace plimsoll::apiserver {
namespace {

// Maximum time that a read waits for a future revision, as upstream.
constexpr Duration kFreshnessTimeout = std::chrono::seconds(3);
// Number of objects read at a time for a page of a list with selectors.
constexpr std::size_t kScanRecords = 2'000;

constexpr std::string_view kTooOldToContinue =
    "The provided continue parameter is too old to display a consistent list result. You can start "
    "a new list without the continue parameter, or use the continue token in this response to "
    "retrieve the remainder of the results. Continuing with the provided token results in an "
    "inconsistent list - objects that were created, modified, or deleted between the time the "
    "first chunk was returned and now may show up in the list.";
constexpr std::string_view kTooOldToList = "The resourceVersion for the provided list is too old.";

/// Responds 410 to a page request, with a token for an inconsistent continuation.
net::Response RespondExpiredPage(const ApiRequest& request, const ContinueToken& token) {
  std::string json = api::Expired(std::string(kTooOldToContinue)).Json();
  constexpr std::string_view kNoMetadata = R"("metadata":{})";
  const ContinueToken rest{store::kNoRevision, token.after};
  json.replace(json.find(kNoMetadata), kNoMetadata.size(),
               fmt::format(R"("metadata":{{"continue":"{}"}})", rest.Encode()));
  return RespondJson(request, {}, 410, std::move(json));
}

/// Returns the key without the resource's prefix.
std::string KeyTail(const StoredObject& object) {
  return object.namespace_().empty() ? std::string(object.name())
                                     : fmt::format("{}/{}", object.namespace_(), object.name());
}

}  // namespace

Reader::Reader(Cache& cache, store::Store& store, Clock& clock, MetricsRegistry& metrics,
               std::uint64_t seed)
    : cache_(cache),
      store_(store),
      clock_(clock),
      watches_(std::make_shared<OpenWatches>(cache, clock, metrics, seed)) {}

void Reader::Serve(const RequestPtr& request, const ExchangePtr& exchange) {
  const std::string& verb = request->info.verb;
  if (verb == "get") {
    Get(request, exchange);
  } else if (verb == "list") {
    List(request, exchange);
  } else {
    Watch(request, exchange);
  }
}

void Reader::WhenFresh(const Freshness& freshness, const RequestPtr& request,
                       const ExchangePtr& exchange, std::function<void()> then) {
  if (freshness.kind == Freshness::Kind::AnyCached || freshness.kind == Freshness::Kind::Exact) {
    return then();
  }
  store::Revision wanted = freshness.revision;
  if (freshness.kind != Freshness::Kind::NotOlderThan) {
    const Result<store::Revision> latest = store_.ReadLatest();
    if (!latest) {
      return exchange->Respond(RespondStatus(*request, api::FromError(latest.error())));
    }
    wanted = *latest;
  }
  if (cache_.revision() >= wanted) return then();
  const auto refuse = [this, wanted, request, exchange] {
    exchange->Respond(RespondStatus(
        *request, api::TooLargeRevision(store::Number(wanted), store::Number(cache_.revision()))));
  };
  // The store has this revision, so the wait is short and may block a fiber.
  if (Fiber::Current() != nullptr && freshness.kind != Freshness::Kind::NotOlderThan) {
    return cache_.WaitFor(wanted, kFreshnessTimeout) ? then() : refuse();
  }
  // The client chose the revision, which may never come. So neither a thread nor a seat waits for
  // it, and the response is not made on the thread that feeds the cache.
  if (request->seat != nullptr) request->seat->Release();
  cache_.WhenReached(wanted, kFreshnessTimeout,
                     [request, exchange, refuse, then = std::move(then)](bool is_reached) mutable {
                       if (!is_reached) return refuse();
                       if (request->seat == nullptr) return then();
                       request->seat->Reacquire(std::move(then));
                     });
}

api::Answer<void> Reader::CheckReadable(const Resource& resource, std::string_view namespace_,
                                        std::string_view name) {
  const std::optional<ObjectId> id = cache_.FindUnreadable(resource, namespace_, name);
  if (!id) return {};
  const Result<ObjectPtr> latest = cache_.GetLatest(resource, id->namespace_, id->name);
  if (!latest) return std::unexpected(api::FromError(latest.error()));
  return {};
}

void Reader::RespondObjectOf(const ApiRequest& request, net::Exchange& exchange) {
  const Resource& resource = *request.resource;
  const auto wanted = Negotiate(request);
  if (!wanted) return exchange.Respond(RespondStatus(request, wanted.error()));
  const ObjectPtr stored = cache_.Get(resource, NamespaceOf(request), request.info.name);
  if (!stored) {
    const auto readable = CheckReadable(resource, NamespaceOf(request), request.info.name);
    if (!readable) return exchange.Respond(RespondStatus(request, readable.error()));
    return exchange.Respond(RespondStatus(
        request, api::NotFound({resource.group(), resource.name(), request.info.name})));
  }
  if (request.info.subresource == "scale") {
    std::optional<std::string> scale = ScaleJson(*stored);
    return exchange.Respond(
        scale ? RespondJson(request, *wanted, 200, *std::move(scale))
              : RespondStatus(request, api::InternalError("the stored object cannot be read")));
  }
  const ObjectPtr object = AsServed(resource, stored);
  exchange.Respond(RespondObject(request, *wanted, 200, object, clock_.Now()));
}

void Reader::Get(const RequestPtr& request, const ExchangePtr& exchange) {
  const auto freshness = ReadFreshness(request->target.Query("resourceVersion"));
  if (!freshness) return exchange->Respond(RespondStatus(*request, freshness.error()));
  WhenFresh(*freshness, request, exchange,
            [this, request, exchange] { RespondObjectOf(*request, *exchange); });
}

void Reader::List(const RequestPtr& request, const ExchangePtr& exchange) {
  const auto options = ReadListOptions(*request, /*is_watch=*/false);
  if (!options) return exchange->Respond(RespondStatus(*request, options.error()));
  const auto respond = [this, request, exchange, options = *options] {
    auto response = ListPart(*request, options);
    exchange->Respond(response ? *std::move(response) : RespondStatus(*request, response.error()));
  };
  if (!options->continue_token.empty()) return respond();
  WhenFresh(options->freshness, request, exchange, respond);
}

api::Answer<net::Response> Reader::ListPart(const ApiRequest& request, const ListOptions& options) {
  if (!options.continue_token.empty()) {
    return ListFromStore(request, options, PL_TRY(ContinueToken::Decode(options.continue_token)));
  }
  if (options.freshness.kind == Freshness::Kind::Exact) {
    return ListFromStore(request, options, {options.freshness.revision, ""});
  }
  return ListFromCache(request, options);
}

api::Answer<net::Response> Reader::ListFromCache(const ApiRequest& request,
                                                 const ListOptions& options) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  PL_TRY(CheckReadable(*request.resource, options.selection.namespace_, {}));
  // With resourceVersion=0 the limit is ignored, as upstream.
  const bool takes_all = options.freshness.kind == Freshness::Kind::AnyCached;
  Picture picture = cache_.List(*request.resource, options.selection,
                                takes_all ? 0 : static_cast<std::size_t>(options.limit));
  ListHead head{picture.revision, "", std::nullopt};
  if (picture.has_more) {
    head.continue_token =
        ContinueToken{picture.revision, KeyTail(*picture.objects.back())}.Encode();
    if (options.selection.labels.empty() && options.selection.fields.empty()) {
      head.remaining = picture.remaining;
    }
  }
  return RespondList(request, wanted, head, std::move(picture.objects), clock_.Now());
}

api::Answer<net::Response> Reader::ListFromStore(const ApiRequest& request,
                                                 const ListOptions& options,
                                                 const ContinueToken& token) {
  const Negotiated wanted = PL_TRY(Negotiate(request));
  const Resource& resource = *request.resource;
  const Selection& selection = options.selection;
  const bool has_selectors = !selection.labels.empty() || !selection.fields.empty();
  store::RangeRequest range;
  range.prefix = selection.namespace_.empty()
                     ? resource.prefix
                     : fmt::format("{}{}/", resource.prefix, selection.namespace_);
  if (!token.after.empty()) range.after = resource.prefix + token.after;
  range.at = token.revision;
  range.counts_remaining = false;

  const auto limit = static_cast<std::size_t>(options.limit);
  std::vector<ObjectPtr> objects;
  ListHead head;
  for (;;) {
    const std::size_t missing = limit - objects.size();
    range.limit = limit == 0 ? 0 : has_selectors ? std::max(missing, kScanRecords) : missing;
    const auto page = store_.List(range);
    if (!page && page.error().reason == Reason::Expired) {
      if (options.continue_token.empty()) {
        return std::unexpected(api::Expired(std::string(kTooOldToList)));
      }
      return RespondExpiredPage(request, token);
    }
    if (!page && page.error().reason == Reason::Timeout) {
      return std::unexpected(
          api::TooLargeRevision(store::Number(token.revision), store::Number(store_.latest())));
    }
    if (!page) return std::unexpected(api::FromError(page.error()));
    head.revision = range.at = page->at;
    for (const store::Record& record : page->records) {
      auto object = StoredObject::Make(resource, *record.value, record.revision);
      if (!object) {
        PL_TRY(CheckReadable(resource, selection.namespace_, {}));
        return std::unexpected(api::FromError(object.error()));
      }
      if (!selection.Matches(**object)) continue;
      if (limit > 0 && objects.size() == limit) {
        head.continue_token = ContinueToken{page->at, KeyTail(*objects.back())}.Encode();
        break;
      }
      objects.push_back(*std::move(object));
    }
    if (!page->has_more || !head.continue_token.empty()) break;
    if (!has_selectors) {
      head.continue_token = ContinueToken{page->at, KeyTail(*objects.back())}.Encode();
      // Counted now, not at the page's revision. The API does not promise an exact number, and
      // counting at an old revision costs as much as a list.
      const std::size_t remaining =
          cache_.CountAfter(resource, selection.namespace_, KeyTail(*objects.back()));
      if (remaining > 0) head.remaining = remaining;
      break;
    }
    range.after = page->records.back().key;
  }
  return RespondList(request, wanted, head, std::move(objects), clock_.Now());
}

void Reader::Watch(const RequestPtr& request, const ExchangePtr& exchange) {
  const auto options = ReadListOptions(*request, /*is_watch=*/true);
  if (!options) return exchange->Respond(RespondStatus(*request, options.error()));
  auto wanted = Negotiate(*request);
  if (!wanted) return exchange->Respond(RespondStatus(*request, wanted.error()));
  // A watch from a revision starts with the next event after it, so it need not wait.
  const bool resumes = options->freshness.kind == Freshness::Kind::NotOlderThan &&
                       !options->send_initial_events.value_or(false);
  const auto begin = [this, request, exchange, options = *options, wanted = *wanted] {
    watches_->Begin(*request, options, wanted, *exchange);
  };
  if (resumes) return begin();
  WhenFresh(options->freshness, request, exchange, begin);
}

}  // namespace plimsoll::apiserver
