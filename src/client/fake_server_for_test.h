#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/virtual_clock.h"
#include "client/client.h"
#include "codec/json.h"
#include "net/client.h"
#include "net/http.h"

/// For the tests of this folder.
namespace plimsoll::client {

/// A clock that a test moves while other threads wait for it.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Instant start = Instant(std::chrono::seconds(1'700'000'000)))
      : now_(start) {}

  Instant Now() const override {
    const std::scoped_lock lock(mutex_);
    return now_;
  }
  void At(Instant when, Task task) override {
    const std::scoped_lock lock(mutex_);
    tasks_.emplace(when, std::move(task));
    changed_.notify_all();
  }

  /// Waits until a task is added, moves the time to it, and returns how far the time moved.
  Duration RunNext() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !tasks_.empty(); });
    auto next = tasks_.extract(tasks_.begin());
    const Instant before = now_;
    now_ = std::max(now_, next.key());
    const Duration moved = now_ - before;
    lock.unlock();
    next.mapped()();
    return moved;
  }
  /// Same, but moves the time by `by` first, as if the whole process had been suspended.
  void Oversleep(Duration by) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !tasks_.empty(); });
      now_ += by;
    }
    RunNext();
  }
  void Advance(Duration by) {
    const std::scoped_lock lock(mutex_);
    now_ += by;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Instant now_;
  std::multimap<Instant, Task> tasks_;
};

/// Queue of values between threads.
template <class T>
class Channel {
 public:
  void Put(T value) {
    const std::scoped_lock lock(mutex_);
    values_.push_back(std::move(value));
    changed_.notify_all();
  }
  T Pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !values_.empty(); });
    T value = std::move(values_.front());
    values_.pop_front();
    return value;
  }
  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return values_.size();
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
};

inline net::Response JsonResponse(std::string body, int status = 200) {
  net::Response response{.status = status, .headers = {{"Content-Type", "application/json"}}};
  response.body = MakeBytes(std::move(body));
  return response;
}

/// A server in this process. Either a function answers, or the test does, request by request.
class FakeServer final : public net::Handler {
 public:
  struct Asked {
    net::Request request;
    std::shared_ptr<net::Exchange> exchange;

    std::string line() const { return request.method + " " + request.target; }
    void Answer(std::string body, int status = 200) const {
      exchange->Respond(JsonResponse(std::move(body), status));
    }
  };
  using Function = std::function<net::Response(const net::Request&)>;

  explicit FakeServer(Function function = nullptr) : function_(std::move(function)) {}

  void Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) override {
    if (function_ != nullptr) return exchange->Respond(function_(request));
    asked_.Put({std::move(request), std::move(exchange)});
  }

  Asked Pop() { return asked_.Pop(); }
  std::shared_ptr<net::Transport> Connect() {
    return net::ConnectLocally(*this, {"system:test", {}});
  }

 private:
  const Function function_;
  Channel<Asked> asked_;
};

/// A logger whose lines are not read.
struct QuietLog {
  VirtualClock clock;
  MemorySink sink;
  Logger log{clock, sink};
};

inline const api::KindDesc& Kind(std::string_view group, std::string_view version,
                                 std::string_view kind) {
  const api::KindDesc* found = api::FindKind(group, version, kind);
  PL_ASSERT(found != nullptr);
  return *found;
}
inline const api::KindDesc& Pods() { return Kind("", "v1", "Pod"); }
inline const api::KindDesc& Nodes() { return Kind("", "v1", "Node"); }

inline std::string PodJson(std::string_view name, int version, std::string_view uid = "") {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"namespace":"default","name":")" +
         std::string(name) + R"(","uid":")" + std::string(uid.empty() ? name : uid) +
         R"(","resourceVersion":")" + std::to_string(version) +
         R"("},"spec":{"containers":[{"name":"c","image":"i"}]}})";
}
inline ObjectPtr APod(std::string_view name, int version, std::string_view uid = "") {
  return *ReadObject(PodJson(name, version, uid));
}
inline std::string ListJson(int version, const std::vector<std::string>& items,
                            std::string_view continue_token = "") {
  std::string out = R"({"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":")" +
                    std::to_string(version) + R"(","continue":")" + std::string(continue_token) +
                    R"("},"items":[)";
  for (const std::string& item : items) out += (out.back() == '[' ? "" : ",") + item;
  return out + "]}";
}
inline std::string EventLine(std::string_view type, std::string_view object) {
  return R"({"type":")" + std::string(type) + R"(","object":)" + std::string(object) + "}\n";
}
inline std::string BookmarkLine(int version, bool ends_initial_events = false) {
  return EventLine(
      "BOOKMARK",
      R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":")" +
          std::to_string(version) + "\"" +
          (ends_initial_events ? R"(,"annotations":{"k8s.io/initial-events-end":"true"})" : "") +
          "}}");
}

}  // namespace plimsoll::client
