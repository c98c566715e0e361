#include "apiserver/encryption/encryption_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <utility>

#include "apiserver/limits.h"
#include "base/file.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "codec/yaml.h"
#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;

constexpr std::string_view kApiVersion = "apiserver.config.k8s.io/v1";
constexpr std::string_view kKind = "EncryptionConfiguration";

std::unexpected<Error> InvalidAt(const std::string& path, std::string_view what) {
  return FailAt(Reason::Invalid, path, std::string(what));
}

std::string Mandatory(std::string_view field, std::string_view of) {
  return fmt::format("Required value: {} is a mandatory field for a {}", field, of);
}

/// Fails with Invalid for an unknown member, so
/// that a typo does not silently store plain text.
Status CheckMembers(const Value& object, const std::string& path,
                    std::initializer_list<std::string_view> known) {
  if (!object.is_object()) return InvalidAt(path, "must be an object");
  for (const codec::Member& member : object.members()) {
    if (std::ranges::find(known, member.key) == known.end()) {
      return InvalidAt(path, fmt::format("unknown field \"{}\"", member.key));
    }
  }
  return {};
}

Result<std::string> TextAt(const Value& object, const std::string& path, std::string_view field) {
  const Value* const value = object.Find(field);
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string()) return InvalidAt(fmt::format("{}.{}", path, field), "must be a string");
  return std::string(value->text());
}

struct ProviderRow {
  std::string_view name;
  CipherKind cipher;
  std::string_view key_sizes;
};

constexpr std::array kProviders = {ProviderRow{"aescbc", CipherKind::AesCbc, "[16 24 32]"},
                                   ProviderRow{"aesgcm", CipherKind::AesGcm, "[16 24 32]"},
                                   ProviderRow{"secretbox", CipherKind::Secretbox, "[32]"}};

Result<Transformer::Entry> ReadKey(const ProviderRow& provider, const Value& key,
                                   const std::string& path) {
  PL_TRY(CheckMembers(key, path, {"name", "secret"}));
  const std::string name = PL_TRY(TextAt(key, path, "name"));
  const std::string secret = PL_TRY(TextAt(key, path, "secret"));
  if (name.empty()) return InvalidAt(path + ".name", Mandatory("name", "key"));
  if (secret.empty()) return InvalidAt(path + ".secret", Mandatory("secret", "key"));
  const Result<std::string> bytes = DecodeBase64(secret);
  if (!bytes.has_value()) {
    return InvalidAt(path + ".secret",
                     "Invalid value: \"REDACTED\": secrets must be base64 encoded");
  }
  const std::size_t size = bytes->size();
  const bool is_aes = provider.cipher != CipherKind::Secretbox;
  if (size != 32 && !(is_aes && (size == 16 || size == 24))) {
    return InvalidAt(path + ".secret",
                     fmt::format("Invalid value: \"REDACTED\": secret is not of the expected "
                                 "length, got {}, expected one of {}",
                                 size, provider.key_sizes));
  }
  return Transformer::Entry{std::string(provider.name), name, MakeCipher(provider.cipher, *bytes)};
}

Status ReadProvider(const Value& provider, const std::string& path,
                    std::vector<Transformer::Entry>& entries) {
  if (!provider.is_object() || provider.members().empty()) {
    return InvalidAt(path,
                     "Required value: provider does not contain any of the expected "
                     "providers: KMS, AESGCM, AESCBC, Secretbox, Identity");
  }
  if (provider.members().size() > 1) {
    return InvalidAt(path,
                     "Invalid value: more than one provider specified in a single element, "
                     "should split into different list elements");
  }
  const codec::Member& only = provider.members().front();
  const std::string at = fmt::format("{}.{}", path, only.key);
  if (only.key == "identity") {
    if (!only.value.is_null()) PL_TRY(CheckMembers(only.value, at, {}));
    entries.push_back({});
    return {};
  }
  const auto row = std::ranges::find(kProviders, only.key, &ProviderRow::name);
  if (row == kProviders.end()) {
    return InvalidAt(at, only.key == "kms" ? "this server has no KMS provider; use aescbc, aesgcm, "
                                             "secretbox or identity"
                                           : "unknown provider");
  }
  PL_TRY(CheckMembers(only.value, at, {"keys"}));
  const Value* const keys = only.value.Find("keys");
  if (keys == nullptr || keys->items().empty()) {
    return InvalidAt(at + ".keys", Mandatory("keys", row->name));
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < keys->items().size(); ++i) {
    const std::string key_path = fmt::format("{}.keys[{}]", at, i);
    Transformer::Entry entry = PL_TRY(ReadKey(*row, keys->items()[i], key_path));
    if (!names.insert(entry.key_name).second) {
      return InvalidAt(key_path + ".name", fmt::format("Duplicate value: \"{}\"", entry.key_name));
    }
    entries.push_back(std::move(entry));
  }
  return {};
}

/// Validates `secrets`, `deployments.apps`, `*.`, `*.apps` or `*.*`.
Status CheckResource(const std::string& resource, const std::string& path) {
  const auto refuse = [&](std::string_view why) {
    return InvalidAt(path, fmt::format("Invalid value: \"{}\": {}", resource, why));
  };
  if (resource.empty()) return refuse("resource name should not be empty");
  if (resource == "*") {
    return refuse(
        "use '*.' to encrypt all the resources from core API group or *.* to encrypt all "
        "resources");
  }
  if (std::ranges::any_of(resource, IsUpper)) {
    return refuse("resource name should not contain capital letters");
  }
  const std::size_t stars = static_cast<std::size_t>(std::ranges::count(resource, '*'));
  if (stars == 0 || resource == "*.*") return {};
  if (stars == 1 && resource.starts_with("*.")) return {};
  return refuse("wildcards must be '*.', '*.<group>' or '*.*'");
}

bool Covers(std::string_view rule, std::string_view group, std::string_view resource) {
  if (rule == "*.*") return true;
  const std::size_t dot = rule.find('.');
  const std::string_view name = rule.substr(0, dot);
  const std::string_view rule_group =
      dot == std::string_view::npos ? std::string_view() : rule.substr(dot + 1);
  return rule_group == group && (name == "*" || name == resource);
}

}  // namespace

Result<EncryptionConfig> EncryptionConfig::Parse(std::string_view text) {
  const auto documents = PL_TRY(codec::ParseYaml(text, {.bytes_max = kEncryptionConfigBytesMax}));
  if (documents.size() != 1) return Fail(Reason::Invalid, "want one EncryptionConfiguration");
  const Value& root = documents.front()->root();
  PL_TRY(CheckMembers(root, "", {"apiVersion", "kind", "resources"}));
  const std::string version = PL_TRY(TextAt(root, "", "apiVersion"));
  const std::string kind = PL_TRY(TextAt(root, "", "kind"));
  if (version != kApiVersion || kind != kKind) {
    return Fail(Reason::Invalid, fmt::format("want apiVersion {} and kind {}", kApiVersion, kKind));
  }
  const Value* const rules = root.Find("resources");
  if (rules == nullptr || rules->items().empty()) {
    return InvalidAt("resources", "Required value: at least one resources is required");
  }
  EncryptionConfig config;
  for (std::size_t i = 0; i < rules->items().size(); ++i) {
    const std::string path = fmt::format("resources[{}]", i);
    const Value& item = rules->items()[i];
    PL_TRY(CheckMembers(item, path, {"resources", "providers"}));
    Rule rule;
    const Value* const resources = item.Find("resources");
    if (resources == nullptr || resources->items().empty()) {
      return InvalidAt(path + ".resources", "Required value: at least one resources is required");
    }
    for (std::size_t r = 0; r < resources->items().size(); ++r) {
      const Value& name = resources->items()[r];
      const std::string at = fmt::format("{}.resources[{}]", path, r);
      if (!name.is_string()) return InvalidAt(at, "must be a string");
      rule.resources.emplace_back(name.text());
      PL_TRY(CheckResource(rule.resources.back(), at));
    }
    const Value* const providers = item.Find("providers");
    if (providers == nullptr || providers->items().empty()) {
      return InvalidAt(path + ".providers", "Required value: at least one provider is required");
    }
    std::vector<Transformer::Entry> entries;
    for (std::size_t p = 0; p < providers->items().size(); ++p) {
      PL_TRY(
          ReadProvider(providers->items()[p], fmt::format("{}.providers[{}]", path, p), entries));
    }
    rule.transformer = std::make_shared<const Transformer>(std::move(entries));
    config.rules_.push_back(std::move(rule));
  }
  return config;
}

Result<EncryptionConfig> EncryptionConfig::Load(const std::string& path) {
  const auto named = [&path](Error error) {
    return std::unexpected(
        Error{Reason::Invalid,
              {},
              fmt::format("error while parsing encryption provider configuration file \"{}\": {}",
                          path, error.Text())});
  };
  const Result<std::string> text = ReadFile(path);
  if (!text.has_value()) return named(text.error());
  Result<EncryptionConfig> config = Parse(*text);
  if (!config.has_value()) return named(std::move(config.error()));
  return config;
}

std::shared_ptr<const Transformer> EncryptionConfig::For(std::string_view group,
                                                         std::string_view resource) const {
  for (const Rule& rule : rules_) {
    for (const std::string& one : rule.resources) {
      if (Covers(one, group, resource)) return rule.transformer;
    }
  }
  return nullptr;
}

}  // namespace plimsoll::apiserver
