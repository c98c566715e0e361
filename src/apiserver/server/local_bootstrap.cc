#include "apiserver/server/local_bootstrap.h"

#include <fmt/format.h>

#include "api/status/read_status.h"
#include "base/assert.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kTimeout = std::chrono::seconds(30);

/// Returns the error of the response with its reason and causes, and the path in its message.
std::unexpected<Error> FailureAt(std::string_view path, const net::ClientResponse& response) {
  Error error = api::ToError(api::ReadRefusal(response.status, response.body));
  error.message = fmt::format("{}: {}", path, error.message);
  return std::unexpected(std::move(error));
}

}  // namespace

std::string LocalBootstrap::PathOf(std::string_view group, std::string_view resource,
                                   std::string_view namespace_, std::string_view name) const {
  const Resource* found = resources_.Find(group, "v1", resource);
  PL_ASSERT(found != nullptr);
  std::string path = group.empty() ? "/api/v1" : fmt::format("/apis/{}/v1", group);
  if (found->kind->is_namespaced) path += fmt::format("/namespaces/{}", namespace_);
  path += fmt::format("/{}", resource);
  if (!name.empty()) path += "/" + net::PercentEncode(name);
  return path;
}

Result<net::ClientResponse> LocalBootstrap::Send(std::string method, std::string target,
                                                 std::string body) {
  net::Request request;
  request.method = std::move(method);
  request.target = std::move(target);
  request.headers = {{"Content-Type", "application/json"},
                     {"Accept", "application/json"},
                     {"User-Agent", "plimsoll-apiserver/bootstrap"}};
  request.body = std::move(body);
  return transport_.Fetch(std::move(request), kTimeout, transport_.NewCanceller());
}

Status LocalBootstrap::Expect(std::string method, std::string target, std::string body) {
  const net::ClientResponse response = PL_TRY(Send(std::move(method), target, std::move(body)));
  if (response.status < 300) return {};
  return FailureAt(target, response);
}

Result<std::optional<std::string>> LocalBootstrap::Get(std::string_view group,
                                                       std::string_view resource,
                                                       std::string_view namespace_,
                                                       std::string_view name) {
  const std::string path = PathOf(group, resource, namespace_, name);
  net::ClientResponse response = PL_TRY(Send("GET", path, {}));
  if (response.status == 404) return std::nullopt;
  if (response.status >= 300) return FailureAt(path, response);
  return std::move(response.body);
}

Status LocalBootstrap::Create(const DefaultObject& object) {
  return Expect("POST", PathOf(object.group, object.resource, object.namespace_, ""), object.json);
}

Status LocalBootstrap::Update(const DefaultObject& object) {
  return Expect("PUT", PathOf(object.group, object.resource, object.namespace_, object.name),
                object.json);
}

Status LocalBootstrap::UpdateStatus(const DefaultObject& object) {
  return Expect("PUT",
                PathOf(object.group, object.resource, object.namespace_, object.name) + "/status",
                object.json);
}

Status LocalBootstrap::Delete(const DefaultObject& object) {
  return Expect("DELETE", PathOf(object.group, object.resource, object.namespace_, object.name),
                {});
}

}  // namespace plimsoll::apiserver
