#include "service/server_kind.h"

#include <chrono>

#include "api/extension/extension.h"
#include "service/expression_evaluators.h"

namespace plimsoll::service {
namespace {

constexpr Duration kRetryInterval = std::chrono::seconds(1);
constexpr Duration kRequestTimeout =
    std::chrono::seconds(5);  // per request; a signal waits no longer

bool IsUnavailable(const api::StatusObject& refusal) {
  return refusal.code == 429 || refusal.code >= 500;
}

}  // namespace

ServerKind KindOfVersion(std::string_view git_version) {
  const std::size_t plus = git_version.find('+');
  const bool is_ours =
      plus != std::string_view::npos && git_version.substr(plus + 1).starts_with("plimsoll");
  return is_ours ? ServerKind::Own : ServerKind::Stock;
}

std::optional<ServerKind> AwaitServerKind(std::string_view flag, const client::Client& client,
                                          ShutdownSignals& signals, Logger& log) {
  if (flag != kServerAuto) return flag == "plimsoll" ? ServerKind::Own : ServerKind::Stock;
  std::string last_message;
  while (true) {
    const api::Answer<std::string> version =
        client.ServerVersion({.timeout = kRequestTimeout, .retries_max = 0});
    if (version || !IsUnavailable(version.error())) {
      const ServerKind kind = version ? KindOfVersion(*version) : ServerKind::Stock;
      PL_LOG(log, Info(), "Detected the version of the server",
             {"gitVersion", version.value_or("")}, {"isOurs", kind == ServerKind::Own});
      return kind;
    }
    if (last_message != version.error().message) {
      last_message = version.error().message;
      PL_LOG(log, Warning(), "Waiting for the server", {"reason", last_message});
    }
    if (signals.WaitFor(kRetryInterval)) return std::nullopt;
  }
}

client::Transform AnnotationTransformFor(ServerKind kind, const api::FeatureGates& gates) {
  if (kind == ServerKind::Own) return {};
  return [context =
              api::ValidationContext{.gates = gates,
                                     .expressions = &ExpressionsOf(ExpressionUser::CommandLine)}](
             const client::ObjectPtr& object) { return api::Extend(object, context); };
}

}  // namespace plimsoll::service
