// Reads the rules of a role from arbitrary JSON. The rules must be the same after they were written
// and read again, and must allow the same requests.
//
// Input: the rules as JSON, a NUL, then a path or `verb,group,resource,subresource,name`.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/authz/policy_rule.h"
#include "base/assert.h"
#include "codec/json.h"
#include "cost_bound.h"

namespace {

using plimsoll::apiserver::PolicyRules;
using plimsoll::apiserver::RequestInfo;
using plimsoll::codec::Document;
using plimsoll::codec::Value;

/// Parses `verb,group,resource,subresource,name`, or a path.
RequestInfo InfoOf(std::string_view text) {
  RequestInfo info;
  if (text.starts_with('/')) {
    info.verb = "get";
    info.path = text;
    return info;
  }
  info.is_resource_request = true;
  for (std::string* const part :
       {&info.verb, &info.group, &info.resource, &info.subresource, &info.name}) {
    const std::size_t comma = std::min(text.find(','), text.size());
    *part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return info;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t split = text.find('\0');
  if (split == std::string_view::npos) return 0;
  const plimsoll::fuzz::CostBound bound(size);
  const auto parsed = plimsoll::codec::ParseJson(std::string(text.substr(0, split)));
  if (!parsed) return 0;
  const PolicyRules rules = plimsoll::apiserver::ReadPolicyRules(&(*parsed)->root());
  Document document;
  Value list = document.NewArray();
  for (const auto& rule : rules) {
    document.Append(list, plimsoll::apiserver::WritePolicyRule(rule, document));
  }
  const PolicyRules again = plimsoll::apiserver::ReadPolicyRules(&list);
  PL_ASSERT(again == rules);
  const RequestInfo info = InfoOf(text.substr(split + 1));
  for (std::size_t i = 0; i < rules.size(); ++i) {
    PL_ASSERT(plimsoll::apiserver::Allows(rules[i], info) ==
              plimsoll::apiserver::Allows(again[i], info));
    PL_ASSERT(!plimsoll::apiserver::Describe(rules[i]).empty());
  }
  return 0;
}
