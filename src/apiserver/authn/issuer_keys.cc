#include "apiserver/authn/issuer_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apiserver/authn/wait_ban.h"
#include "apiserver/limits.h"
#include "base/go_text.h"
#include "net/client.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kHttps = "https://";
constexpr std::string_view kWellKnown = "/.well-known/openid-configuration";

bool HasKey(const std::vector<JsonWebKey>& keys, std::string_view key_id) {
  return key_id.empty() || std::ranges::find(keys, key_id, &JsonWebKey::id) != keys.end();
}

}  // namespace

Result<std::string> FetchOverHttps(const std::string& url, const std::string& ca_pem) {
  constexpr Duration kTimeout = std::chrono::seconds(10);
  if (!url.starts_with(kHttps)) return Fail(Reason::BadRequest, url + ": want https");
  const std::size_t path = std::min(url.find('/', kHttps.size()), url.size());
  const auto transport = PL_TRY(
      net::ConnectTo(url.substr(0, path), {.ca_pem = ca_pem}, {.body_bytes_max = kJwksBytesMax}));
  net::Request request;
  request.method = "GET";
  request.target = path < url.size() ? url.substr(path) : "/";
  request.headers.Add("Accept", "application/json");
  net::ClientResponse response = PL_TRY(transport->Fetch(std::move(request), kTimeout, nullptr));
  if (response.status != 200) {
    return Fail(Reason::ServiceUnavailable, fmt::format("{}: status {}", url, response.status));
  }
  return std::move(response.body);
}

IssuerKeys::IssuerKeys(IssuerAddress address, FetchDocument fetch, const Clock& clock, Logger& log)
    : address_(std::move(address)), fetch_(std::move(fetch)), clock_(clock), log_(log) {}

Result<std::vector<JsonWebKey>> IssuerKeys::Fetch() const {
  std::string url = address_.discovery_url;
  if (url.empty()) {
    url = address_.url;
    if (url.ends_with('/')) url.pop_back();
    url += kWellKnown;
  }
  std::string document = PL_TRY(fetch_(url, address_.ca_pem));
  const IssuerMetadata metadata = PL_TRY(ParseIssuerMetadata(std::move(document)));
  if (metadata.issuer != address_.url) {
    return Fail(Reason::Invalid,
                fmt::format("oidc: issuer did not match the issuer returned by provider, expected "
                            "{} got {}",
                            GoQuote(address_.url), GoQuote(metadata.issuer)));
  }
  return ParseJwks(PL_TRY(fetch_(metadata.jwks_uri, address_.ca_pem)));
}

bool IssuerKeys::IsDue() const {
  const std::scoped_lock lock(mutex_);
  const Instant now = clock_.Now();
  if (is_fetching_ || (tried_ && now - *tried_ < kKeysTryPeriod)) return false;
  return !fetched_ || now - *fetched_ >= kKeysRefreshPeriod;
}

void IssuerKeys::Refresh() {
  std::unique_lock lock(mutex_);
  if (is_fetching_) {
    OneShotEvent event;
    waiting_.push_back(&event);
    lock.unlock();
    event.Wait();
    lock.lock();  // the poster holds the lock, so the event must live until it is released
    return;
  }
  if (tried_ && clock_.Now() - *tried_ < kKeysTryPeriod) return;
  is_fetching_ = true;
  lock.unlock();
  Result<std::vector<JsonWebKey>> keys = Fetch();
  if (!keys) {
    PL_LOG(log_, Error(), "Cannot fetch the keys of an OIDC issuer", {"issuer", address_.url},
           {"reason", keys.error().Text()});
  }
  lock.lock();
  is_fetching_ = false;
  tried_ = clock_.Now();
  if (keys) {
    fetched_ = tried_;
    keys_ = std::make_shared<const std::vector<JsonWebKey>>(*std::move(keys));
  }
  for (OneShotEvent* const event : std::exchange(waiting_, {})) event->Set();
}

IssuerKeys::Keys IssuerKeys::keys() const {
  const std::scoped_lock lock(mutex_);
  return keys_;
}

IssuerKeys::Keys IssuerKeys::Find(std::string_view key_id) {
  {
    const std::scoped_lock lock(mutex_);
    if (keys_ != nullptr && HasKey(*keys_, key_id)) return keys_;
    const bool is_too_soon = tried_ && clock_.Now() - *tried_ < kKeysTryPeriod;
    if (!is_fetching_ && is_too_soon) return keys_;
  }
  if (WaitBan::Forbids()) return nullptr;
  Refresh();
  return keys();
}

}  // namespace plimsoll::apiserver
