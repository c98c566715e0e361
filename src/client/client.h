#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "api/object.h"
#include "api/schema/schema.h"
#include "api/status/status.h"
#include "api/watch_event.h"
#include "base/clock.h"
#include "client/declared_fields.h"
#include "client/leader_fence.h"
#include "client/limits.h"
#include "client/response_parser.h"
#include "client/served_versions.h"
#include "client/stop_signal.h"
#include "net/client.h"

namespace plimsoll::client {

/// Target of a request: `{*pods, "default", "web", "status"}`. The texts must live as long as the
/// call.
struct Resource {
  const api::KindDesc& kind;          // a kind that has its own resource
  std::string_view namespace_ = {};   // empty: all, or the kind is not namespaced
  std::string_view name = {};         // empty: the collection
  std::string_view subresource = {};  // status, binding, eviction, scale
};

/// Request body, as JSON.
struct Body {
  std::string json;

  // NOLINTBEGIN(google-explicit-constructor): allows passing a tree or an object.
  Body(std::string text) : json(std::move(text)) {}
  Body(const char* text) : json(text) {}
  Body(const codec::Value& tree);
  Body(const api::Object& object) : Body(object.tree()) {}
  // NOLINTEND(google-explicit-constructor)
};

/// Options of one call.
struct Call {
  std::shared_ptr<StopSignal> stop = nullptr;  // from Client::NewStopSignal
  Duration timeout = Duration::zero();         // for each try; zero: that of ClientOptions
  std::optional<int> retries_max = {};         // unset: that of ClientOptions
  /// For writes: false if the caller does not need the object in the answer. The client then
  /// returns null and does not parse the object.
  bool wants_object = true;
};

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;  // empty: the latest; 0: any version in the server's cache
  std::string resource_version_match;
  std::int64_t limit = 500;  // objects per page; 0: no paging
  bool is_lean = false;      // returns objects as LeanObject makes them, if the server is remote
};

struct WatchOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  bool send_initial_events = false;  // existing objects come first, then a bookmark
  bool allow_bookmarks = true;
  std::int64_t timeout_seconds = 0;  // 0: the server's default
  /// Fields that objects may come without; see UnreadFields.
  std::span<const std::string_view> unread = {};
};

struct WriteOptions {
  std::string field_manager;
  std::string field_validation;  // Ignore, Warn or Strict; empty: the server's default
  bool dry_run = false;
};

enum class PatchType : std::uint8_t { Json, Merge, StrategicMerge, Apply };

struct PatchOptions {
  PatchType type = PatchType::StrategicMerge;
  std::string field_manager;  // Apply needs one
  bool force = false;         // for Apply: take over conflicting fields
  std::string field_validation;
  bool dry_run = false;
};

struct DeleteOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::string propagation_policy;  // Background, Foreground or Orphan; empty: the kind's default
  std::string uid;                 // precondition; empty: none
  std::string resource_version;
  bool dry_run = false;
};

/// Receives the events of a watch, in order, on the thread of the call.
class WatchSink {
 public:
  virtual ~WatchSink() = default;
  /// Returns false to end the watch.
  virtual bool OnEvent(api::WatchEvent event) = 0;
};

struct ClientOptions {
  std::string user_agent = "plimsoll";
  /// Returns the bearer token at that time; empty: none. Called by many threads.
  std::function<std::string(Instant)> token;
  net::Headers headers;  // sent with every request
  Duration timeout = std::chrono::seconds(32);
  /// Maximum number of retries when a server answers 429 or 5xx with Retry-After.
  int retries_max = kRetriesMax;
  Duration retry_after_max = kRetryAfterMax;
  /// A connection is closed if the server does not acknowledge sent data for this long. Data that
  /// is still in the network is lost with it.
  Duration unacknowledged_max = std::chrono::seconds(30);
  /// While the fence is closed, the client sends no writes: such calls fail with Timeout.
  std::shared_ptr<const LeaderFence> fence = {};
};

/// Client of an API server, in this process or remote. Each call blocks until the answer, which is
/// an object or the server's error. ServiceUnavailable: the server is unreachable. Timeout: no
/// answer in time, or the call was stopped. Safe for use by many threads.
///
/// A server may serve a kind in another version than the requested one. If that version has the
/// same fields, the client finds it by discovery and uses it from then on, in paths and bodies.
class Client {
 public:
  /// The clock must outlive the client.
  Client(std::shared_ptr<net::Transport> transport, Clock& clock, ClientOptions options = {});

  /// Returns a stop signal for calls of this client.
  std::shared_ptr<StopSignal> NewStopSignal() const;
  Clock& clock() const { return clock_; }
  /// True if fibers may make writes, many of them on one thread.
  bool SuspendsFibers() const { return transport_->SuspendsFibers(); }
  /// True if the server is another process.
  bool IsRemote() const { return transport_->IsRemote(); }

  /// Returns the server's gitVersion, such as v1.33.1.
  api::Answer<std::string> ServerVersion(const Call& call = {}) const;
  /// Returns the version of the kind that the server serves: the kind itself if possible. NotFound:
  /// no version with the same fields is served.
  api::Answer<std::reference_wrapper<const api::KindDesc>> FindServed(const api::KindDesc& kind,
                                                                      const Call& call = {}) const;
  /// Returns the fields that the server declares for the kind, in the version that it serves.
  api::Answer<DeclaredFields> GetDeclaredFields(const api::KindDesc& kind,
                                                const Call& call = {}) const;

  /// See ListOptions for `resource_version`.
  api::Answer<ObjectPtr> Get(const Resource& resource, std::string_view resource_version = {},
                             const Call& call = {}) const;
  /// Returns all objects, over all pages. If the continue token expires, the whole list is
  /// requested again.
  api::Answer<api::ObjectList> List(const Resource& resource, const ListOptions& options = {},
                                    const Call& call = {}) const;
  /// Also for sub-resources (binding, eviction), for which the answer may be a Status.
  api::Answer<ObjectPtr> Create(const Resource& resource, const Body& body,
                                const WriteOptions& options = {}, const Call& call = {}) const;
  api::Answer<ObjectPtr> Update(const Resource& resource, const Body& body,
                                const WriteOptions& options = {}, const Call& call = {}) const;
  api::Answer<ObjectPtr> UpdateStatus(Resource resource, const Body& body,
                                      const WriteOptions& options = {},
                                      const Call& call = {}) const;
  api::Answer<ObjectPtr> Patch(const Resource& resource, const Body& body,
                               const PatchOptions& options = {}, const Call& call = {}) const;
  /// Returns the current object if it is deleted later, or a Status if it is gone.
  api::Answer<ObjectPtr> Delete(const Resource& resource, const DeleteOptions& options = {},
                                const Call& call = {}) const;
  /// Deletes a collection. The deleted objects in the answer are not read.
  api::Answer<void> DeleteCollection(const Resource& resource, const DeleteOptions& options = {},
                                     const Call& call = {}) const;
  /// Returns when the server ends the watch or the sink returns false. The error is that of the
  /// server, before or among the events, or that the connection broke.
  api::Answer<void> Watch(const Resource& resource, const WatchOptions& options, WatchSink& sink,
                          const Call& call = {}) const;

 private:
  /// Returns the body of the answer to `GET <path>`, for documents such as those of discovery.
  api::Answer<std::string> GetText(std::string path, const Call& call = {}) const;
  bool IsFenced(const net::Request& request) const;
  net::Request NewRequest(std::string method, std::string target) const;
  api::Answer<net::ClientResponse> Send(const net::Request& request, const Call& call) const;
  api::Answer<ObjectPtr> SendForObject(const net::Request& request, const Call& call) const;
  api::Answer<api::ObjectList> ListAll(const Resource& resource, const ListOptions& options,
                                       const Call& call) const;
  api::Answer<void> WatchAt(const Resource& resource, const WatchOptions& options, WatchSink& sink,
                            const Call& call) const;
  api::Answer<api::ObjectList> ListPage(const Resource& resource, const ListOptions& options,
                                        std::string_view continue_token, const Call& call) const;
  template <class Work>
  std::invoke_result_t<Work, const Resource&> InServedVersion(const Resource& resource,
                                                              const Call& call,
                                                              const Work& work) const;

  const std::shared_ptr<net::Transport> transport_;
  Clock& clock_;
  const ClientOptions options_;
  const std::unique_ptr<ServedVersions> served_ = std::make_unique<ServedVersions>();
};

}  // namespace plimsoll::client
