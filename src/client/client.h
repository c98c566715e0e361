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
#include "api/watch_piece.h"
#include "base/clock.h"
#include "client/declared_fields.h"
#include "client/leader_fence.h"
#include "client/reading.h"
#include "client/served_versions.h"
#include "client/stop_signal.h"
#include "net/client.h"

namespace plimsoll::client {

/// What a request speaks of: `{*pods, "default", "web", "status"}`. The texts must live as long as
/// the call.
struct Resource {
  const api::KindDesc& kind;          // one with a resource of its own
  std::string_view namespace_ = {};   // empty: all, or the kind is not namespaced
  std::string_view name = {};         // empty: the collection
  std::string_view subresource = {};  // status, binding, eviction, scale
};

/// What is sent: JSON.
struct Body {
  std::string json;

  // NOLINTBEGIN(google-explicit-constructor): so that a tree or an object can be handed over.
  Body(std::string text) : json(std::move(text)) {}
  Body(const char* text) : json(text) {}
  Body(const codec::Value& tree);
  Body(const api::Object& object) : Body(object.tree()) {}
  // NOLINTEND(google-explicit-constructor)
};

/// For one call.
struct Call {
  std::shared_ptr<StopSignal> stop = nullptr;  // of Client::NewStopSignal
  Duration timeout = Duration::zero();         // of each try; zero: as the client's options say
  std::optional<int> retries_max = {};         // unset: likewise
  /// Of a change: whether the object that the server answers with is wanted. If not, null stands
  /// for it, and nothing is spent on reading it.
  bool wants_object = true;
};

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;  // empty: the latest; 0: whatever the server has at hand
  std::string resource_version_match;
  std::int64_t limit = 500;  // of a page; 0: all in one
  bool is_lean = false;      // objects as LeanObject has them, if they come from elsewhere
};

struct WatchOptions {
  std::string label_selector;
  std::string field_selector;
  std::string resource_version;
  bool send_initial_events = false;  // what is there comes first, then a bookmark that says so
  bool allow_bookmarks = true;
  std::int64_t timeout_seconds = 0;  // 0: as the server likes
  /// As of UnreadFields: what objects may come without.
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
  bool force = false;         // of Apply: take over fields in conflict
  std::string field_validation;
  bool dry_run = false;
};

struct DeleteOptions {
  std::optional<std::int64_t> grace_period_seconds;
  std::string propagation_policy;  // Background, Foreground or Orphan; empty: the kind's default
  std::string uid;                 // preconditions; empty: none
  std::string resource_version;
  bool dry_run = false;
};

/// Who gets the events of a watch, in order, on the thread of the call.
class WatchSink {
 public:
  virtual ~WatchSink() = default;
  /// False: enough, hang up.
  virtual bool OnEvent(WatchEvent event) = 0;
};

struct ClientOptions {
  std::string user_agent = "plimsoll";
  /// The bearer token at that time; empty: none. Called by many threads.
  std::function<std::string(Instant)> token;
  net::Headers headers;  // of every request
  Duration timeout = std::chrono::seconds(32);
  /// A server that answers 429 or 5xx with Retry-After is asked again so often.
  int retries_max = 10;
  Duration retry_after_max = std::chrono::seconds(60);
  /// A server that acknowledges nothing of what was sent for so long is given up, and what the
  /// network still holds with it.
  Duration unheard_max = std::chrono::seconds(30);
  /// While it is closed nothing is sent that could change something: such calls are Timeout.
  std::shared_ptr<const LeaderFence> fence = {};
};

/// Talks to an API server, in this process or elsewhere. Each call waits for its answer, which is
/// an object or a refusal; a server that cannot be reached counts as ServiceUnavailable, one that
/// does not answer in time, or a call that is stopped, as Timeout. Safe for use by many threads.
///
/// A server may serve a kind in another version than the one that is asked for. If that version has
/// the same fields, the client finds it by discovery and uses it from then on, in paths and bodies.
class Client {
 public:
  /// The clock must outlive it.
  Client(std::shared_ptr<net::Transport> transport, Clock& clock, ClientOptions options = {});

  /// For the calls of this client.
  std::shared_ptr<StopSignal> NewStopSignal() const;
  Clock& clock() const { return clock_; }
  /// Whether calls that change something may be made by fibers, many of them on one thread.
  bool LeavesThreadToOthers() const { return transport_->LeavesThreadToOthers(); }
  /// Whether the server is another process.
  bool IsElsewhere() const { return transport_->IsElsewhere(); }

  /// The gitVersion that the server says it is: v1.33.1.
  api::Answer<std::string> ServerVersion(const Call& call = {}) const;
  /// The body of the answer to `GET <path>`, for documents such as discovery's.
  api::Answer<std::string> GetText(std::string path, const Call& call = {}) const;
  /// The version of the kind that the server serves: the kind itself if it does. NotFound: none
  /// that has the same fields.
  api::Answer<std::reference_wrapper<const api::KindDesc>> FindServed(const api::KindDesc& kind,
                                                                      const Call& call = {}) const;
  /// The fields that the server declares for the kind, in the version that it serves.
  api::Answer<DeclaredFields> GetDeclaredFields(const api::KindDesc& kind,
                                                const Call& call = {}) const;

  /// `resource_version` as in ListOptions.
  api::Answer<ObjectPtr> Get(const Resource& resource, std::string_view resource_version = {},
                             const Call& call = {}) const;
  /// All of them: pages are followed. When the server has forgotten the state that the pages are
  /// of, the list is asked for again as a whole.
  api::Answer<api::ListPiece> List(const Resource& resource, const ListOptions& options = {},
                                   const Call& call = {}) const;
  /// Of a sub-resource (binding, eviction) too; the answer to that may be a Status.
  api::Answer<ObjectPtr> Create(const Resource& resource, const Body& body,
                                const WriteOptions& options = {}, const Call& call = {}) const;
  api::Answer<ObjectPtr> Update(const Resource& resource, const Body& body,
                                const WriteOptions& options = {}, const Call& call = {}) const;
  api::Answer<ObjectPtr> UpdateStatus(Resource resource, const Body& body,
                                      const WriteOptions& options = {},
                                      const Call& call = {}) const;
  api::Answer<ObjectPtr> Patch(const Resource& resource, const Body& body,
                               const PatchOptions& options = {}, const Call& call = {}) const;
  /// The object as it is now, when it goes later, or a Status when it is gone.
  api::Answer<ObjectPtr> Delete(const Resource& resource, const DeleteOptions& options = {},
                                const Call& call = {}) const;
  /// All of a collection; what the server says about each is not read.
  api::Answer<void> DeleteCollection(const Resource& resource, const DeleteOptions& options = {},
                                     const Call& call = {}) const;
  /// Returns when the server ends it or the sink has had enough. Refused: what the server says
  /// before or amid the events, or the connection broke.
  api::Answer<void> Watch(const Resource& resource, const WatchOptions& options, WatchSink& sink,
                          const Call& call = {}) const;

 private:
  bool IsFenced(const net::Request& request) const;
  net::Request NewRequest(std::string method, std::string target) const;
  api::Answer<net::ClientResponse> Send(const net::Request& request, const Call& call) const;
  api::Answer<ObjectPtr> SendForObject(const net::Request& request, const Call& call) const;
  api::Answer<api::ListPiece> ListAll(const Resource& resource, const ListOptions& options,
                                      const Call& call) const;
  api::Answer<void> WatchAt(const Resource& resource, const WatchOptions& options, WatchSink& sink,
                            const Call& call) const;
  api::Answer<api::ListPiece> ListPage(const Resource& resource, const ListOptions& options,
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
