#include "runner/metrics_query.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "api/server_url.h"
#include "base/text/base64.h"
#include "net/client.h"
#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

constexpr int kOk = 200;
constexpr std::size_t kShownBytesMax = 200;

/// Returns the start of a response, for an error message.
std::string Shown(std::string_view body) {
  std::string text(body.substr(0, kShownBytesMax));
  std::ranges::replace_if(text, [](char c) { return c < ' ' || c > '~'; }, ' ');
  return text;
}

const codec::Value* MemberOf(const codec::Value* object, std::string_view key) {
  return object == nullptr ? nullptr : object->Find(key);
}

Result<std::string> ReadToken(const client::Client& client, const api::QueryMetrics& query,
                              client::Call call) {
  const auto& [namespace_, name, key] = query.token;
  const std::string shown = "Secret " + namespace_ + "/" + name;
  const api::KindDesc* const kind = api::FindKind("", "v1", "Secret");
  call.wants_object = true;
  const auto secret = client.Get({*kind, namespace_, name, {}}, {}, call);
  PL_TRY(api::StatusOf(secret));
  const codec::Value& tree = (*secret)->tree();
  const codec::Value* const type = tree.Find("type");
  if (type == nullptr || !type->is_string() || type->text() != api::kMetricsTokenType) {
    return Fail(Reason::Forbidden,
                shown + " must be of type " + std::string(api::kMetricsTokenType));
  }
  const codec::Value* const data = MemberOf(tree.Find("data"), key);
  if (data == nullptr || !data->is_string()) {
    return Fail(Reason::NotFound, shown + " has no key \"" + key + "\"");
  }
  std::string token = PL_TRY(DecodeBase64(data->text()));
  while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  const bool is_usable = !token.empty() && token.size() <= kTokenBytesMax &&
                         std::ranges::all_of(token, [](char c) { return c > ' ' && c < '\x7f'; });
  if (!is_usable) return Fail(Reason::Invalid, shown + " has no usable token in \"" + key + "\"");
  return token;
}

Result<std::string> Fetch(const client::Client& client, const api::QueryMetrics& query,
                          const client::Call& call) {
  const auto url = api::ParseServerUrl(query.server);
  if (!url) return Fail(Reason::Invalid, "server: " + url.error());
  net::Request request{
      .method = "GET",
      .target = url->path + "/api/v1/query?query=" + net::PercentEncode(query.query)};
  request.headers.Add("Accept", "application/json");
  if (!query.token[1].empty()) {
    if (!url->is_tls) return Fail(Reason::Forbidden, "a token may only be sent with https");
    request.headers.Add("Authorization", "Bearer " + PL_TRY(ReadToken(client, query, call)));
  }
  // A new connection each time: rules and their servers change, and a query per interval is rare.
  const std::unique_ptr<net::Transport> transport = PL_TRY(
      net::ConnectTo(url->Base(), {.ca_pem = query.ca_pem},
                     {.connect_max = query.timeout, .body_bytes_max = api::kMetricsBytesMax}));
  net::ClientResponse response = PL_TRY(transport->Fetch(
      std::move(request), query.timeout, call.stop == nullptr ? nullptr : call.stop->canceller()));
  if (response.status != kOk) {
    return Fail(
        Reason::ServiceUnavailable,
        query.server + ": status " + std::to_string(response.status) + ": " + Shown(response.body));
  }
  return std::move(response.body);
}

}  // namespace

api::ActionFinished SendQuery(const client::Client& client, const api::QueryMetrics& query,
                              const client::Call& call) {
  Result<std::string> body = Fetch(client, query, call);
  if (!body) return {query.id, std::unexpected(std::move(body).error())};
  return {
      .id = query.id, .status = {}, .body = std::make_shared<const std::string>(*std::move(body))};
}

}  // namespace plimsoll::runner
