#include <string>

#include "api/schema/conform.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/tree_reads.h"
#include "base/syntax.h"
#include "base/text/base64.h"
#include "codec/go_kind.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

constexpr FieldPath kData("data");
constexpr FieldPath kBinaryData("binaryData");
constexpr std::size_t kBytesMax = 1 << 20;  // of all values together

void CheckKey(const FieldPath& at, std::string_view key, FieldErrors& errors) {
  AddFaults(at.Key(key), key, CheckConfigMapKey(key), errors);
}

/// An immutable object must stay immutable and keep its contents.
void CheckUnchanged(const KindChange& change, std::initializer_list<FieldPath> parts,
                    FieldErrors& errors) {
  if (change.before == nullptr || !BoolOf(change.old_tree(), "immutable")) return;
  static constexpr std::string_view kDetail = "field is immutable when `immutable` is set";
  if (!BoolOf(change.tree(), "immutable")) errors.Forbidden(FieldPath("immutable"), kDetail);
  for (const FieldPath& part : parts) {
    const std::string key = part.Text();
    if (!Differences(MemberOf(change.old_tree(), key), MemberOf(change.tree(), key), {}).empty()) {
      errors.Forbidden(part, kDetail);
    }
  }
}

/// Checks that the value is a JSON object, as registry credentials are.
void CheckJsonObject(const Value* data, std::string_view key, FieldErrors& errors) {
  const Value* found = MemberOf(data, key);
  if (found == nullptr) return errors.Required(kData.Key(key), "");
  const auto parsed = codec::ParseJson(DecodeBase64(found->text()).value_or(std::string()));
  std::string fault;
  if (!parsed) {
    fault = parsed.error().message;
  } else if (!(*parsed)->root().is_object() && !(*parsed)->root().is_null()) {
    fault = "json: cannot unmarshal " + std::string(codec::GoKindText((*parsed)->root())) +
            " into Go value of type map[string]interface {}";
  }
  if (!fault.empty()) errors.Invalid(kData.Key(key), "<secret contents redacted>", fault);
}

void CheckSecretType(const Object& secret, const Value* data, std::string_view type,
                     FieldErrors& errors) {
  const auto require = [&](std::string_view key) { errors.Required(kData.Key(key), ""); };
  const auto has = [&](std::string_view key) { return MemberOf(data, key) != nullptr; };
  if (type == "kubernetes.io/service-account-token") {
    static constexpr std::string_view kAccount = "kubernetes.io/service-account.name";
    static constexpr FieldPath kMetadata("metadata");
    static constexpr FieldPath kAnnotations = kMetadata / "annotations";
    if (secret.metadata().annotations.Find(kAccount).value_or("").empty()) {
      errors.Required(kAnnotations.Key(kAccount), "");
    }
  } else if (type == "kubernetes.io/dockercfg") {
    CheckJsonObject(data, ".dockercfg", errors);
  } else if (type == "kubernetes.io/dockerconfigjson") {
    CheckJsonObject(data, ".dockerconfigjson", errors);
  } else if (type == "kubernetes.io/basic-auth") {
    if (has("username") || has("password")) return;
    require("username");
    require("password");
  } else if (type == "kubernetes.io/ssh-auth") {
    if (TextOf(data, "ssh-privatekey").empty()) require("ssh-privatekey");
  } else if (type == "kubernetes.io/tls") {
    if (!has("tls.crt")) require("tls.crt");
    if (!has("tls.key")) require("tls.key");
  }
}

}  // namespace

void ValidateConfigMap(const KindChange& change, FieldErrors& errors) {
  CheckUnchanged(change, {kData, kBinaryData}, errors);
  const Value* binary = MemberOf(change.tree(), "binaryData");
  std::size_t bytes = 0;
  for (const Member& text : MembersOf(change.tree(), "data")) {
    CheckKey(kData, text.key, errors);
    if (MemberOf(binary, text.key) != nullptr) {
      errors.Invalid(kData.Key(text.key), text.key, "duplicate of key present in binaryData");
    }
    bytes += text.value.text().size();
  }
  for (const Member& blob : MembersOf(change.tree(), "binaryData")) {
    CheckKey(kBinaryData, blob.key, errors);
    bytes += DecodedSize(blob.value.text());
  }
  if (bytes > kBytesMax) errors.TooLong(FieldPath(""), kBytesMax);
}

void ValidateSecret(const KindChange& change, FieldErrors& errors) {
  const std::string_view type = TextOf(change.tree(), "type");
  if (change.before != nullptr && TextOf(change.old_tree(), "type") != type) {
    errors.Invalid(FieldPath("type"), BadValue::TypedString(type), "field is immutable");
  }
  CheckUnchanged(change, {kData}, errors);
  const Value* data = MemberOf(change.tree(), "data");
  std::size_t bytes = 0;
  for (const Member& blob : MembersOf(change.tree(), "data")) {
    CheckKey(kData, blob.key, errors);
    bytes += DecodedSize(blob.value.text());
  }
  if (bytes > kBytesMax) errors.TooLong(kData, kBytesMax);
  CheckSecretType(change.now, data, type, errors);
}

}  // namespace plimsoll::api
