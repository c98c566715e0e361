#include "apiserver/resource/conversion.h"

#include <algorithm>
#include <array>
#include <string>

#include "api/schema/api_version.h"

namespace plimsoll::apiserver {
namespace {

struct Renamed {
  std::string_view core;
  std::string_view events;
};
/// Fields that have another name in events.k8s.io/v1.
constexpr std::array kEventFields = {
    Renamed{"involvedObject", "regarding"},
    Renamed{"message", "note"},
    Renamed{"reportingComponent", "reportingController"},
    Renamed{"source", "deprecatedSource"},
    Renamed{"firstTimestamp", "deprecatedFirstTimestamp"},
    Renamed{"lastTimestamp", "deprecatedLastTimestamp"},
    Renamed{"count", "deprecatedCount"},
};

/// Returns the tree with renamed fields: `from` is their current name, `into` the new one.
codec::Value Rename(const api::KindDesc& to, const codec::Value& tree, bool is_event,
                    std::string_view Renamed::* from, std::string_view Renamed::* into,
                    codec::Document& document) {
  codec::Value out = document.NewObject(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    const auto renamed =
        is_event ? std::ranges::find(kEventFields, member.key, from) : kEventFields.end();
    if (member.key == "apiVersion") {
      document.AppendMember(out, {"apiVersion", document.NewString(ApiVersionOf(to))});
    } else if (renamed != kEventFields.end()) {
      document.AppendMember(out, {(*renamed).*into, member.value});
    } else {
      document.AppendMember(out, {member.key, member.value});
    }
  }
  return out;
}

bool IsEvent(const Resource& resource) { return resource.kind->group == "events.k8s.io"; }

}  // namespace

codec::Value ToServed(const Resource& resource, const codec::Value& stored,
                      codec::Document& document) {
  return Rename(*resource.kind, stored, IsEvent(resource), &Renamed::core, &Renamed::events,
                document);
}

codec::Value ToStored(const Resource& resource, const codec::Value& served,
                      codec::Document& document) {
  return Rename(*resource.stored, served, IsEvent(resource), &Renamed::events, &Renamed::core,
                document);
}

}  // namespace plimsoll::apiserver
