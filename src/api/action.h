#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "api/core/pod_condition.h"
#include "api/object.h"
#include "base/result.h"
#include "base/time.h"

/// Actions that the pure cores (scheduler, controllers, node agent) request. The runner performs
/// them and reports the outcome of each once, as an ActionFinished with the action's id.
/// RecordEvent and WriteLog have no id and no outcome. Actions on one object are performed in
/// order.
namespace plimsoll::api {

/// Correlates an action with its outcome. Each core numbers its own actions, from 1.
using ActionId = std::uint64_t;
using ObjectPtr = std::shared_ptr<const Object>;

/// Names the object that an action is about. A uid is a precondition: the action must not change
/// another object of the same name. Cheap to copy.
class ObjectRef {
 public:
  ObjectRef() = default;
  /// Refers to an object that the core has seen, with its uid.
  ObjectRef(ObjectPtr object) : object_(std::move(object)) {}  // NOLINT(*-explicit-*)
  /// Refers to any object of that name. `namespace_` is empty for cluster-scoped kinds; `name` is
  /// empty for a new object that is named in its JSON, and for collections.
  explicit ObjectRef(const KindDesc& kind, std::string_view namespace_ = {},
                     std::string_view name = {}, std::string_view uid = {});

  const KindDesc& kind() const { return object_ ? object_->kind() : *named_->kind; }
  std::string_view namespace_() const {
    return object_ ? object_->metadata().namespace_ : named_->namespace_;
  }
  std::string_view name() const { return object_ ? object_->metadata().name : named_->name; }
  std::string_view uid() const { return object_ ? object_->metadata().uid : named_->uid; }
  /// Returns the version of the object that the decision is based on; null if the core has none.
  const ObjectPtr& object() const { return object_; }

  /// Returns false for a default-constructed reference.
  explicit operator bool() const { return object_ || named_; }

 private:
  struct Named {
    const KindDesc* kind = nullptr;
    std::string namespace_;
    std::string name;
    std::string uid;
  };

  ObjectPtr object_;                    // or
  std::shared_ptr<const Named> named_;  // … without an object
};

/// Returns true if a write failed because its namespace is being deleted. It will never succeed.
inline bool IsNamespaceTerminating(const Error& error) {
  return error.HasCause("NamespaceTerminating");
}

/// Creates an object from JSON. The outcome is AlreadyExists if there is one of that name.
struct CreateObject {
  ActionId id = 0;
  ObjectRef object;
  std::string body;
  Instant decided_at = {};
};

/// Apply is a forced server-side apply: it takes over fields from other field managers, and creates
/// a missing object. ApplyUnforced fails with Conflict instead, with the cause
/// kFieldManagerConflict.
enum class PatchForm : std::uint8_t { Merge, StrategicMerge, Apply, ApplyUnforced };
inline constexpr std::string_view kFieldManagerConflict = "FieldManagerConflict";

/// Patches an object. The patch itself contains its preconditions: the uid, and the resourceVersion
/// to detect a conflict with newer versions.
struct PatchObject {
  ActionId id = 0;
  ObjectRef object;
  std::string_view subresource = {};  // a string literal: status, or empty
  std::string body;
  PatchForm form = PatchForm::Merge;
  std::string field_manager = {};  // both forms of apply need one
  Instant decided_at = {};
};

/// Patches a condition and the nominated node in a pod's status. Unset members stay as they are.
struct UpdatePodStatus {
  ActionId id = 0;
  ObjectRef pod;
  std::optional<PodCondition> condition;
  std::optional<std::string> nominated_node;  // empty: clears the nomination
  Instant decided_at = {};
};

/// Replaces the whole object, for subresources that cannot be patched. The outcome is Conflict if
/// the stored object has changed since `object` was read.
struct UpdateObject {
  ActionId id = 0;
  ObjectRef object;
  std::string_view subresource = {};  // a string literal: finalize
  std::string body;
  Instant decided_at = {};
};

/// Deletes the object if it still has the same uid. NotFound counts as success. So does Conflict
/// because of another uid: the intended object is gone.
struct DeleteObject {
  ActionId id = 0;
  ObjectRef object;
  std::optional<std::int64_t> grace_period_seconds = {};  // unset: the object's own
  std::string_view propagation_policy = {};               // empty: the kind's default
  Instant decided_at = {};
};

/// Deletes all objects of a kind in a namespace.
struct DeleteCollection {
  ActionId id = 0;
  ObjectRef objects;  // without a name
  Instant decided_at = {};
};

/// Sets the pod's DisruptionTarget condition, then deletes the pod like DeleteObject.
struct EvictPod {
  ActionId id = 0;
  ObjectRef pod;
  std::string_view reason;  // of the condition; a string literal
  std::string message;
  Instant decided_at = {};
};

/// Evicts the pod by its `eviction` subresource, so that the API server enforces disruption
/// budgets. A pod that is gone, or another one of its name, counts as success. The outcome is
/// TooManyRequests while a budget forbids it (with the cause DisruptionBudget) or the server is
/// busy. The runner does not retry it, whatever Retry-After says: the core must.
struct PostEviction {
  ActionId id = 0;
  ObjectRef pod;
  Instant decided_at = {};
};

/// Binds the pod to the node. After Timeout, ServiceUnavailable or InternalError the result is
/// unknown. Any other failure means that the pod was not bound.
struct BindPod {
  ActionId id = 0;
  ObjectRef pod;
  std::string node;
  Instant decided_at = {};
};

/// Reads an object from the API server, because watches of different kinds are not ordered. The
/// outcome is NotFound if the object has another uid than the reference. It is Conflict if
/// `resource_version` is given and the stored version differs. ActionFinished has the object.
struct GetObject {
  ActionId id = 0;
  ObjectRef object;
  std::string resource_version = {};
  Instant decided_at = {};
};

/// Sends a query to a Prometheus server, and never follows it to another one. ActionFinished has
/// the body of the response, at most kMetricsBytesMax. Any status but 200 is a failure.
struct QueryMetrics {
  ActionId id = 0;
  std::string server;  // see ParseServerUrl
  std::string query;
  std::string ca_pem = {};  // empty: the authorities of the system
  /// Key of a Secret of the type kMetricsTokenType, in the order namespace, name, key; empty:
  /// no token is sent. The type shows that its owner permits this use.
  std::array<std::string, 3> token = {};
  Duration timeout = {};
  Instant decided_at = {};
};
inline constexpr std::size_t kMetricsBytesMax = 16 << 20;
inline constexpr std::string_view kMetricsTokenType = "plimsoll.io/bearer-token";

/// One write of a WriteInOrder. Its id is not used.
using Write = std::variant<CreateObject, PatchObject, DeleteObject>;

/// Sends writes on behalf of a pod one after the other, and stops at the first failure.
struct WriteInOrder {
  ActionId id = 0;
  ObjectRef pod;
  std::vector<Write> writes;
  Instant decided_at = {};
};

/// Type of an Event object.
enum class EventType : std::uint8_t { Normal, Warning };
constexpr std::string_view ToText(EventType type) {
  return type == EventType::Normal ? "Normal" : "Warning";
}

/// Records an Event about an object.
struct RecordEvent {
  ObjectRef regarding;
  EventType type = EventType::Normal;
  std::string reason;
  std::string message;
  std::string_view component = {};  // reporting component; empty: that of the runner
  std::string host = {};            // empty: that of the runner
  std::string field_path = {};      // such as spec.containers{web}; empty: the whole object
  std::string_view action = {};     // for events.k8s.io; a string literal
  ObjectRef related = {};           // for events.k8s.io; may be unset
  Instant decided_at = {};
};

/// Writes a line to the log, as an error if `error` is set.
struct WriteLog {
  std::string message;
  std::optional<Error> error = {};
  std::vector<std::pair<std::string_view, std::string>> fields = {};  // keys are string literals
  Instant decided_at = {};

  friend bool operator==(const WriteLog&, const WriteLog&) = default;
};

using Action = std::variant<CreateObject, PatchObject, UpdatePodStatus, UpdateObject, DeleteObject,
                            DeleteCollection, EvictPod, PostEviction, BindPod, GetObject,
                            QueryMetrics, WriteInOrder, RecordEvent, WriteLog>;
using Actions = std::vector<Action>;

/// One call of a core: the time, and the actions that the core requests.
struct Turn {
  Instant now;
  Actions& out;

  /// Requests an action, decided now. Moves it once, as cores do this for every pod.
  template <class T>
  void Do(T&& action) const {
    static_assert(!std::is_lvalue_reference_v<T>, "move the action, or pass a temporary");
    if constexpr (std::is_same_v<T, Action>) {
      std::visit([this](auto& one) { one.decided_at = now; }, action);
      out.push_back(std::move(action));
    } else {
      action.decided_at = now;
      out.emplace_back(std::in_place_type<T>, std::move(action));
    }
  }
};

}  // namespace plimsoll::api
