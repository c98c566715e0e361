#include "apiserver/encryption/transformer.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/assert.h"

namespace plimsoll::apiserver {

std::string Transformer::Entry::Prefix() const {
  if (cipher == nullptr) return {};
  return fmt::format("{}{}:v1:{}:", kEncryptedPrefix, provider, key_name);
}

Transformer::Transformer(std::vector<Entry> entries) {
  PL_ASSERT(!entries.empty());
  for (Entry& entry : entries) {
    Row row{entry.Prefix(), {}, entry.provider, std::move(entry.cipher)};
    if (row.cipher != nullptr) {
      row.provider_prefix = fmt::format("{}{}:v1:", kEncryptedPrefix, row.provider);
    }
    rows_.push_back(std::move(row));
  }
}

Result<std::string> Transformer::ToStorage(std::string_view plain, std::string_view context) const {
  const Row& first = rows_.front();
  if (first.cipher == nullptr) return std::string(plain);
  return first.prefix + PL_TRY(first.cipher->Seal(plain, context));
}

Result<std::string> Transformer::FromStorage(std::string_view stored,
                                             std::string_view context) const {
  const bool is_encrypted = stored.starts_with(kEncryptedPrefix);
  std::optional<Error> error;
  for (const Row& row : rows_) {
    if (row.cipher == nullptr) {
      if (!is_encrypted) return std::string(stored);
      continue;
    }
    if (stored.starts_with(row.prefix)) {
      Result<std::string> plain = row.cipher->Open(stored.substr(row.prefix.size()), context);
      if (plain.has_value()) return plain;
      error = std::move(plain.error());
    } else if (!error.has_value() && stored.starts_with(row.provider_prefix)) {
      error = Error{Reason::InternalError,
                    {},
                    fmt::format("no matching key was found for the provided {} transformer",
                                row.provider == "secretbox" ? "Secretbox" : "AES")};
    }
  }
  if (error.has_value()) return std::unexpected(std::move(*error));
  return Fail(Reason::InternalError, "no matching prefix found");
}

bool Transformer::IsStale(std::string_view stored) const {
  const Row& first = rows_.front();
  if (first.cipher == nullptr) return stored.starts_with(kEncryptedPrefix);
  return !stored.starts_with(first.prefix);
}

}  // namespace plimsoll::apiserver
