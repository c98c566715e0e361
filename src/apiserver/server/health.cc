#include "apiserver/server/health.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace plimsoll::apiserver {
namespace {

constexpr std::array<std::string_view, 3> kEndpoints = {"healthz", "livez", "readyz"};

/// Splits `/livez/ping` into `livez` and `ping`.
std::pair<std::string_view, std::string_view> SplitPath(std::string_view path) {
  path.remove_prefix(path.starts_with('/') ? 1 : 0);
  const std::size_t slash = std::min(path.find('/'), path.size());
  return {path.substr(0, slash), path.substr(std::min(slash + 1, path.size()))};
}

net::Response Text(int status, std::string text) {
  net::Response response;
  response.status = status;
  response.headers = {{"Content-Type", "text/plain; charset=utf-8"},
                      {"Cache-Control", "no-cache, private"},
                      {"X-Content-Type-Options", "nosniff"}};
  response.body = MakeBytes(std::move(text));
  return response;
}

}  // namespace

void Health::AddLive(HealthCheck check) { live_.push_back(std::move(check)); }
void Health::AddReady(HealthCheck check) { ready_.push_back(std::move(check)); }

bool Health::Owns(std::string_view path) const {
  return std::ranges::find(kEndpoints, SplitPath(path).first) != kEndpoints.end();
}

std::vector<const HealthCheck*> Health::ChecksOf(std::string_view endpoint) const {
  std::vector<const HealthCheck*> checks;
  for (const HealthCheck& check : live_) checks.push_back(&check);
  if (endpoint == "readyz") {
    for (const HealthCheck& check : ready_) checks.push_back(&check);
    checks.push_back(&shutdown_);
  }
  return checks;
}

net::Response Health::Serve(const net::Target& target) const {
  const auto [endpoint, only] = SplitPath(target.path);
  std::vector<std::string_view> excluded;
  for (const auto& [name, value] : target.query) {
    if (name == "exclude") excluded.push_back(value);
  }
  std::string lines;
  bool is_well = true;
  bool found = only.empty();
  for (const HealthCheck* check : ChecksOf(endpoint)) {
    if (!only.empty() && check->name != only) continue;
    found = true;
    if (std::ranges::find(excluded, check->name) != excluded.end()) {
      lines += fmt::format("[+]{} excluded: ok\n", check->name);
      continue;
    }
    const Status status = check->check();
    if (status) {
      lines += fmt::format("[+]{} ok\n", check->name);
      continue;
    }
    is_well = false;
    lines += fmt::format("[-]{} failed: reason withheld\n", check->name);
    PL_LOG(log_, Error(status.error()), "Health check failed", {"endpoint", endpoint},
           {"check", check->name});
  }
  if (!found) return Text(404, "404 page not found\n");
  if (!is_well) {
    if (!only.empty()) return Text(500, "internal server error: reason withheld\n");
    return Text(500, fmt::format("{}{} check failed\n", lines, endpoint));
  }
  if (!target.HasQuery("verbose") || !only.empty()) return Text(200, "ok");
  return Text(200, fmt::format("{}{} check passed\n", lines, endpoint));
}

}  // namespace plimsoll::apiserver
