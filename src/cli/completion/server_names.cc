#include "cli/completion/server_names.h"

#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>

#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/context.h"
#include "cli/devices/device_snapshot.h"

namespace plimsoll::cli {
namespace {

using Kind = NamesRequest::Kind;

const api::KindDesc* KindOf(const NamesRequest& request) {
  switch (request.kind) {
    case Kind::Pod:
      return api::FindKind("", "v1", "Pod");
    case Kind::Node:
      return api::FindKind("", "v1", "Node");
    case Kind::Namespace:
      return api::FindKind("", "v1", "Namespace");
    case Kind::DeviceClass:
      return api::FindKind("resource.k8s.io", "v1", "DeviceClass");
    case Kind::Driver:
    case Kind::Device:
      return api::FindKind("resource.k8s.io", "v1", "ResourceSlice");
    case Kind::Object:
      return request.object;
    case Kind::Context:
      return nullptr;
  }
  return nullptr;
}

std::vector<std::string> ContextsOf(const NamesRequest& request) {
  std::vector<std::string> names;
  const auto found = service::FindKubeconfig(request.kubeconfig, {});
  if (!found) return names;
  for (const client::KubeContext& context : found->config.contexts) names.push_back(context.name);
  return names;
}

std::vector<std::string> NamesOnServer(const NamesRequest& request, Duration time_max) {
  std::vector<std::string> names;
  const api::KindDesc* const kind = KindOf(request);
  const auto user = AccessForUser(request.kubeconfig, request.context);
  if (!user || kind == nullptr) return names;
  RealClock clock;
  const auto client = ConnectForUser(*user, clock);
  if (!client) return names;
  client::Resource resource{*kind};
  if (kind->is_namespaced) {
    resource.namespace_ = request.namespace_.empty() ? user->access.namespace_ : request.namespace_;
  }
  // One page from the server's cache, because it is the fastest answer.
  const auto list = (*client)->List(resource, {.resource_version = "0", .limit = 0},
                                    {.timeout = time_max, .retries_max = 0});
  if (!list) return names;
  for (const auto& object : list->objects) {
    const auto* const slice = object->As<api::ResourceSlice>();
    if (slice == nullptr) {
      names.emplace_back(object->metadata().name);
    } else if (request.kind == Kind::Driver) {
      names.emplace_back(slice->driver);
    } else {
      for (const api::Device& device : slice->devices) {
        names.push_back(DeviceName(slice->driver, slice->pool.name, device.name));
      }
    }
  }
  return names;
}

/// Ends the process if it still lives after a time. Nothing else can interrupt a resolver that gets
/// no answer.
class ProcessDeadline {
 public:
  explicit ProcessDeadline(Duration time_max) {
    struct sigaction ending{};
    ending.sa_handler = [](int) { _exit(kExitFindings); };
    sigaction(SIGALRM, &ending, &before_);
    // Requests have the same limit, and end by themselves.
    constexpr Duration kGrace = std::chrono::milliseconds(50);
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(time_max + kGrace);
    Set({.tv_sec = left.count() / 1'000'000, .tv_usec = left.count() % 1'000'000});
  }
  ~ProcessDeadline() {
    Set({});
    sigaction(SIGALRM, &before_, nullptr);
  }
  ProcessDeadline(const ProcessDeadline&) = delete;
  ProcessDeadline& operator=(const ProcessDeadline&) = delete;

 private:
  static void Set(const timeval& left) {
    const itimerval timer{.it_interval = {}, .it_value = left};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }

  struct sigaction before_{};
};

}  // namespace

std::vector<std::string> FindNames(const NamesRequest& request, Duration time_max) {
  if (request.kind == Kind::Context) return ContextsOf(request);
  const ProcessDeadline deadline(time_max);
  return NamesOnServer(request, time_max);
}

}  // namespace plimsoll::cli
