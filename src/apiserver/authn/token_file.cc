#include "apiserver/authn/token_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/pki.h"

namespace plimsoll::apiserver {
namespace {

/// Reads CSV records like Go's encoding/csv: quoted fields may contain commas, line ends and
/// doubled quotes; empty lines are skipped.
class CsvReader {
 public:
  explicit CsvReader(std::string_view text) : rest_(text) {}

  bool AtEnd() {
    while (rest_.starts_with('\n') || rest_.starts_with("\r\n")) SkipLineEnd();
    return rest_.empty();
  }

  Result<std::vector<std::string>> Next() {
    std::vector<std::string> fields;
    while (true) {
      fields.push_back(PL_TRY(rest_.starts_with('"') ? Quoted() : Plain()));
      if (!rest_.starts_with(',')) break;
      rest_.remove_prefix(1);
    }
    SkipLineEnd();
    return fields;
  }

 private:
  void SkipLineEnd() {
    if (rest_.starts_with('\r')) rest_.remove_prefix(1);
    if (!rest_.starts_with('\n')) return;
    rest_.remove_prefix(1);
    ++line_;
  }

  bool AtFieldEnd() const {
    return rest_.empty() || rest_[0] == ',' || rest_[0] == '\n' || rest_.starts_with("\r\n");
  }

  Result<std::string> Plain() {
    std::size_t end = 0;
    while (end < rest_.size() && rest_[end] != ',' && rest_[end] != '\n') ++end;
    std::string_view field = rest_.substr(0, end);
    rest_.remove_prefix(end);
    const bool is_line_end = rest_.empty() || rest_[0] == '\n';
    if (is_line_end && field.ends_with('\r')) field.remove_suffix(1);
    if (field.contains('"')) return Broken("bare \" in non-quoted field");
    return std::string(field);
  }

  Result<std::string> Quoted() {
    std::string field;
    rest_.remove_prefix(1);
    while (true) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos)
        return Broken("extraneous or missing \" in quoted-field");
      field += rest_.substr(0, quote);
      line_ += std::ranges::count(rest_.substr(0, quote), '\n');
      rest_.remove_prefix(quote + 1);
      if (!rest_.starts_with('"')) break;
      field += '"';
      rest_.remove_prefix(1);
    }
    if (!AtFieldEnd()) return Broken("extraneous or missing \" in quoted-field");
    return field;
  }

  std::unexpected<Error> Broken(std::string_view what) const {
    return Fail(Reason::Invalid, fmt::format("parse error on line {}: {}", line_, what));
  }

  std::string_view rest_;
  std::ptrdiff_t line_ = 1;
};

std::vector<std::string> SplitGroups(std::string_view text) {
  std::vector<std::string> groups;
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    groups.emplace_back(text.substr(0, comma));
    if (comma == text.size()) return groups;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<TokenFile> TokenFile::Parse(std::string_view name, std::string_view text) {
  TokenFile file;
  CsvReader reader(text);
  while (!reader.AtEnd()) {
    std::vector<std::string> record = PL_TRY(reader.Next());
    if (record.size() < 3) {
      return Fail(Reason::Invalid, fmt::format("token file '{}' must have at least 3 columns "
                                               "(token, user name, user uid), found {}",
                                               name, record.size()));
    }
    if (record[0].empty()) continue;
    User user;
    user.name = std::move(record[1]);
    user.uid = std::move(record[2]);
    if (record.size() >= 4) user.groups = SplitGroups(record[3]);
    file.users_.insert_or_assign(net::Sha256Hex(record[0]), std::move(user));
  }
  return file;
}

Result<std::optional<TokenIdentity>> TokenFile::AuthenticateToken(
    std::string_view token, std::span<const std::string> audiences) const {
  const auto found = users_.find(net::Sha256Hex(token));
  if (found == users_.end()) return std::optional<TokenIdentity>();
  return TokenIdentity{.user = found->second, .audiences = {audiences.begin(), audiences.end()}};
}

}  // namespace plimsoll::apiserver
