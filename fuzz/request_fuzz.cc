// Parses method and target of a request. The parser must refuse it, or return a resource, scope,
// namespace, name and sub-resource that fit each other.

#include <cstddef>
#include <cstdint>
#include <string>

#include "apiserver/request/parse_request.h"
#include "base/assert.h"
#include "cost_bound.h"

namespace {

using plimsoll::apiserver::ParsedRequest;
using plimsoll::apiserver::ParseRequest;
using plimsoll::apiserver::RequestInfo;
using plimsoll::apiserver::Resource;
using plimsoll::apiserver::ResourceTable;
using plimsoll::apiserver::Scope;

void CheckResource(const RequestInfo& info, const Resource& resource) {
  const bool is_namespaced = resource.kind->is_namespaced;
  PL_ASSERT(info.resource == resource.name() && info.group == resource.group());
  PL_ASSERT(is_namespaced == (info.scope != Scope::Cluster));
  PL_ASSERT((info.scope == Scope::Namespace) == (is_namespaced && !info.namespace_.empty()));
  if (info.scope == Scope::Cluster && !info.namespace_.empty()) {
    PL_ASSERT(resource.is_namespaces() && info.namespace_ == info.name);
  }
  PL_ASSERT(info.subresource.empty() || resource.Serves(info.subresource));
  PL_ASSERT(info.subresource.empty() || !info.name.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const ResourceTable table;
  const plimsoll::fuzz::CostBound bound(size);
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return 0;
  const ParsedRequest parsed = ParseRequest(text.substr(0, space), text.substr(space + 1), table);
  if (parsed.refusal) {
    PL_ASSERT(parsed.refusal->code == 400 || parsed.refusal->code == 404);
    PL_ASSERT(parsed.resource == nullptr && !parsed.is_verb_served);
  } else if (parsed.info.is_resource_request) {
    PL_ASSERT(parsed.resource != nullptr);
    CheckResource(parsed.info, *parsed.resource);
  } else {
    PL_ASSERT(parsed.resource == nullptr && parsed.info.scope == Scope::None);
  }
  return 0;
}
