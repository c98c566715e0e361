#include "cli/manifest/manifest_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "api/schema/api_version.h"
#include "base/suggest.h"
#include "base/text/utf8.h"
#include "codec/value_at.h"

namespace plimsoll::cli {
namespace {

constexpr std::string_view kNeeds = "a manifest needs apiVersion, kind and metadata";

std::string_view NameOf(const codec::Value& tree) {
  if (tree.is_array()) return "a list";
  if (tree.is_string()) return "plain text";
  return tree.is_null() ? "null" : "a single value";
}

std::string FaultOfTypeName(const codec::Value& tree, std::string_view key,
                            std::string_view example) {
  const codec::Value* const found = tree.Find(key);
  if (found == nullptr || found->is_null()) {
    return fmt::format("no Kubernetes object: {} is missing; {}, such as {}", key, kNeeds, example);
  }
  if (!found->is_string()) {
    return fmt::format("no Kubernetes object: {} must be a text, such as {}", key, example);
  }
  return found->text().empty() ? fmt::format("no Kubernetes object: {} is empty; {}", key, kNeeds)
                               : std::string();
}

/// Returns the version of another group in which there is this kind, or the nearest kind.
std::string SuggestionFor(const std::string& api_version, const std::string& kind) {
  std::vector<std::string> kinds;
  std::string elsewhere;
  for (const api::KindDesc& known : api::AllKinds()) {
    const std::string its_version = ApiVersionOf(known);
    if (known.kind == kind) elsewhere = its_version;
    if (its_version == api_version) kinds.emplace_back(known.kind);
  }
  if (!elsewhere.empty()) return fmt::format("; {} has apiVersion {}", kind, elsewhere);
  const auto nearest = Nearest(kind, kinds);
  return nearest ? fmt::format("; did you mean {}?", *nearest) : std::string();
}

/// Returns the begin of a text, without a character that is cut in two.
std::string_view HeadOf(std::string_view text) {
  constexpr std::size_t kExamined = 8'192;
  if (text.size() <= kExamined) return text;
  return text.substr(0, text.find_last_of('\n', kExamined));
}

bool HasControls(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == 0x7f || (byte < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f');
  });
}

}  // namespace

std::string FaultOfObject(const api::ObjectSource& source, const Error& error) {
  const codec::Value& tree = *source.tree;
  if (!tree.is_object()) {
    const std::string_view advice =
        tree.is_array() ? "; write its items as documents separated by ---, or as the items of a "
                          "List"
                        : "";
    return fmt::format("{} is no Kubernetes object; {}{}", NameOf(tree), kNeeds, advice);
  }
  for (const auto& [key, example] :
       {std::pair("apiVersion", "`apiVersion: v1`"), std::pair("kind", "`kind: Pod`")}) {
    const bool is_implied = source.implied_kind != nullptr && tree.Find(key) == nullptr;
    std::string fault = is_implied ? std::string() : FaultOfTypeName(tree, key, example);
    if (!fault.empty()) return fault;
  }
  if (error.field != "kind") return error.message;
  return error.message +
         SuggestionFor(std::string(TextAt(tree, "apiVersion")), std::string(TextAt(tree, "kind")));
}

std::string FaultOfText(std::string_view text, const Error& error) {
  // UTF-16 has a byte order mark, and the parser reads it.
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return error.Text();
  const std::string_view head = HeadOf(text);
  if (HasControls(head)) return "this is a binary file; a manifest is text in YAML or JSON";
  if (!IsUtf8(head)) return "this is no UTF-8 text; a manifest is UTF-8 text in YAML or JSON";
  return error.Text();
}

}  // namespace plimsoll::cli
