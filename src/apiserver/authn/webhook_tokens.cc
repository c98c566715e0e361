#include "apiserver/authn/webhook_tokens.h"

#include <algorithm>
#include <utility>

#include "apiserver/authn/jwt.h"
#include "apiserver/authn/remote_review.h"
#include "apiserver/authz/policy_rule.h"
#include "apiserver/limits.h"
#include "base/go_text.h"
#include "codec/json.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

std::string ReviewJson(std::string_view version, std::string_view token,
                       std::span<const std::string> audiences) {
  codec::Document document;
  Value spec = document.NewObject(2);
  document.Set(spec, "token", document.NewString(token));
  if (!audiences.empty()) document.Set(spec, "audiences", WriteTexts(audiences, document));
  Value metadata = document.NewObject(1);
  document.Set(metadata, "creationTimestamp", Value::Null());
  Value status = document.NewObject(1);
  document.Set(status, "user", document.NewObject());
  Value root = document.NewObject(5);
  document.Set(root, "kind", Value::String("TokenReview"));
  document.Set(root, "apiVersion",
               document.NewString(std::string("authentication.k8s.io/").append(version)));
  document.Set(root, "metadata", metadata);
  document.Set(root, "spec", spec);
  document.Set(root, "status", status);
  return codec::WriteJson(root);
}

User UserIn(const Value& status) {
  User user;
  const Value* const shown = status.Find("user");
  if (shown == nullptr) return user;
  user.name = TextAt(*shown, "username");
  user.uid = TextAt(*shown, "uid");
  user.groups = ReadTexts(shown->Find("groups"));
  if (const Value* const extra = shown->Find("extra")) {
    for (const codec::Member& member : extra->members()) {
      user.extra[std::string(member.key)] = ReadTexts(&member.value);
    }
  }
  return user;
}

std::string KeyOf(std::string_view token, std::span<const std::string> audiences) {
  std::string key(token);
  for (const std::string& audience : audiences) key.append(1, '\0').append(audience);
  return net::Sha256(key);
}

}  // namespace

WebhookTokens::WebhookTokens(const TokenWebhookOptions& options, std::vector<std::string> audiences,
                             const Clock& clock, Logger& log)
    : options_(options),
      audiences_(std::move(audiences)),
      clock_(clock),
      log_(log),
      answers_(clock, kTokenReviewAnswersMax) {}

WebhookTokens::Answers::Fetched WebhookTokens::FetchAnswer(
    std::string_view token, std::span<const std::string> audiences) const {
  const auto answer =
      PostReview(*options_.server, ReviewJson(options_.version, token, audiences), clock_.Now());
  if (!answer) {
    PL_LOG(log_, Error(), "Failed to make webhook authenticator request",
           {"reason", answer.error().Text()});
    return {.answer = {.identity = {}, .error = answer.error().Text()}};
  }
  Answers::Fetched fetched{.answer = {}, .lifetime = options_.cache_ttl};
  const Value* const status = (*answer)->root().Find("status");
  const Value* const is_good = status != nullptr ? status->Find("authenticated") : nullptr;
  if (is_good == nullptr || !is_good->is_bool() || !is_good->AsBool()) {
    if (status != nullptr) fetched.answer.error = TextAt(*status, "error");
    return fetched;
  }
  TokenIdentity identity;
  identity.user = UserIn(*status);
  const std::vector<std::string> said = ReadTexts(status->Find("audiences"));
  // A webhook that returns no audiences is taken to mean those of this server.
  identity.audiences = CommonAudiences(said.empty() ? audiences_ : said, audiences);
  if (identity.audiences.empty() || identity.user.name.empty()) return fetched;
  fetched.answer.identity = std::move(identity);
  return fetched;
}

Result<std::optional<TokenIdentity>> WebhookTokens::AuthenticateToken(
    std::string_view token, std::span<const std::string> audiences) const {
  if (token.size() > kTokenBytesMax) return std::optional<TokenIdentity>();
  std::optional<Answer> answer =
      answers_.Get(KeyOf(token, audiences), [&] { return FetchAnswer(token, audiences); });
  if (!answer) return std::optional<TokenIdentity>();
  if (!answer->error.empty()) return Fail(Reason::Unauthorized, std::move(answer->error));
  return std::move(answer->identity);
}

}  // namespace plimsoll::apiserver
