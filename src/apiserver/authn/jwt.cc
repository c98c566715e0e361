#include "apiserver/authn/jwt.h"

#include <algorithm>

#include "apiserver/authz/policy_rule.h"
#include "apiserver/limits.h"
#include "base/text/base64.h"
#include "codec/json.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

Result<std::unique_ptr<codec::Document>> ReadPart(std::string_view part) {
  std::string text = PL_TRY(DecodeBase64(part, Base64::Url));
  auto document = PL_TRY(codec::ParseJson(
      std::move(text), {.bytes_max = kTokenBytesMax, .depth_max = 32, .values_max = 8192}));
  if (!document->root().is_object()) return Fail(Reason::BadRequest, "want an object");
  // Two parsers could use two different values of a duplicate key.
  if (!document->duplicates().empty()) return Fail(Reason::BadRequest, "duplicate key");
  return document;
}

Result<std::int64_t> ReadSeconds(const Value& claims, std::string_view key) {
  const Value* const value = claims.Find(key);
  if (value == nullptr || !value->is_int()) {
    return Fail(Reason::BadRequest, "want a whole number of seconds in " + std::string(key));
  }
  return value->AsInt();
}

std::optional<BoundReference> ReadReference(const Value& claims, std::string_view key,
                                            std::string_view kind) {
  const Value* const reference = claims.Find(key);
  if (reference == nullptr) return std::nullopt;
  return BoundReference{.kind = std::string(kind),
                        .name = std::string(TextAt(*reference, "name")),
                        .uid = std::string(TextAt(*reference, "uid"))};
}

void ReadPrivateClaims(const Value& claims, TokenClaims& out) {
  const Value* const own = claims.Find("kubernetes.io");
  if (own == nullptr) return;
  out.namespace_ = TextAt(*own, "namespace");
  if (const auto account = ReadReference(*own, "serviceaccount", "ServiceAccount")) {
    out.service_account = account->name;
    out.service_account_uid = account->uid;
  }
  out.node = ReadReference(*own, "node", "Node");
  out.bound = ReadReference(*own, "pod", "Pod");
  if (!out.bound) out.bound = ReadReference(*own, "secret", "Secret");
  if (!out.bound) std::swap(out.bound, out.node);
}

Value WriteReference(codec::Document& document, std::string_view name, std::string_view uid) {
  Value reference = document.NewObject(2);
  document.Set(reference, "name", document.NewString(name));
  if (!uid.empty()) document.Set(reference, "uid", document.NewString(uid));
  return reference;
}

std::string_view ClaimOf(std::string_view kind) {
  if (kind == "Pod") return "pod";
  return kind == "Secret" ? "secret" : "node";
}

}  // namespace

bool LooksLikeJwt(std::string_view token) {
  return token.size() <= kTokenBytesMax && std::ranges::count(token, '.') == 2;
}

std::vector<std::string> ReadAudiences(const Value& claims) {
  const Value* const audiences = claims.Find("aud");
  if (audiences != nullptr && audiences->is_string()) return {std::string(audiences->text())};
  return ReadTexts(audiences);
}

Result<SignedToken> ParseSignedToken(std::string_view token) {
  if (!LooksLikeJwt(token)) return Fail(Reason::BadRequest, "want three parts");
  const std::size_t first = token.find('.');
  const std::size_t second = token.find('.', first + 1);
  const auto header = PL_TRY(ReadPart(token.substr(0, first)));
  // `crit` names extensions that the verifier must support. This one supports none.
  if (header->root().Find("crit") != nullptr) return Fail(Reason::BadRequest, "unknown extension");
  SignedToken parsed;
  parsed.claims = PL_TRY(ReadPart(token.substr(first + 1, second - first - 1)));
  parsed.algorithm = TextAt(header->root(), "alg");
  parsed.key_id = TextAt(header->root(), "kid");
  parsed.signed_text = token.substr(0, second);
  parsed.signature = PL_TRY(DecodeBase64(token.substr(second + 1), Base64::Url));
  return parsed;
}

Result<ParsedToken> ParseJwt(std::string_view token) {
  SignedToken any = PL_TRY(ParseSignedToken(token));
  const Value& root = any.claims->root();
  ParsedToken parsed;
  parsed.algorithm = std::move(any.algorithm);
  parsed.key_id = std::move(any.key_id);
  parsed.signed_text = any.signed_text;
  parsed.signature = std::move(any.signature);
  parsed.claims.issuer = TextAt(root, "iss");
  parsed.claims.subject = TextAt(root, "sub");
  parsed.claims.id = TextAt(root, "jti");
  parsed.claims.audiences = ReadAudiences(root);
  parsed.claims.expiry_seconds = PL_TRY(ReadSeconds(root, "exp"));
  parsed.claims.issued_seconds = PL_TRY(ReadSeconds(root, "iat"));
  parsed.claims.not_before_seconds = PL_TRY(ReadSeconds(root, "nbf"));
  ReadPrivateClaims(root, parsed.claims);
  return parsed;
}

std::string EncodeClaims(const TokenClaims& claims, std::string_view algorithm,
                         std::string_view key_id) {
  codec::Document document;
  Value own = document.NewObject(4);
  document.Set(own, "namespace", document.NewString(claims.namespace_));
  if (claims.node) {
    document.Set(own, "node", WriteReference(document, claims.node->name, claims.node->uid));
  }
  if (claims.bound) {
    document.Set(own, ClaimOf(claims.bound->kind),
                 WriteReference(document, claims.bound->name, claims.bound->uid));
  }
  document.Set(own, "serviceaccount",
               WriteReference(document, claims.service_account, claims.service_account_uid));

  Value root = document.NewObject(8);
  document.Set(root, "aud", WriteTexts(claims.audiences, document));
  document.Set(root, "exp", Value::Int(claims.expiry_seconds));
  document.Set(root, "iat", Value::Int(claims.issued_seconds));
  document.Set(root, "iss", document.NewString(claims.issuer));
  document.Set(root, "jti", document.NewString(claims.id));
  document.Set(root, "kubernetes.io", own);
  document.Set(root, "nbf", Value::Int(claims.not_before_seconds));
  document.Set(root, "sub", document.NewString(claims.subject));
  Value header = document.NewObject(2);
  document.Set(header, "alg", document.NewString(algorithm));
  if (!key_id.empty()) document.Set(header, "kid", document.NewString(key_id));
  return EncodeBase64(codec::WriteJson(header), Base64::Url) + "." +
         EncodeBase64(codec::WriteJson(root), Base64::Url);
}

}  // namespace plimsoll::apiserver
