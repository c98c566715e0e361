#include "cel/kubernetes.h"

#include <array>
#include <vector>

#include "base/assert.h"
#include "cel/library/libraries.h"

namespace plimsoll::cel {
namespace {

constexpr std::uint64_t kTaintKeySizeMax = 317;
constexpr std::uint64_t kTaintValueSizeMax = 63;
constexpr std::uint64_t kTaintEffectSizeMax = 16;

constexpr std::uint64_t kNodeTextSizeMax = 256;
constexpr std::uint64_t kNodeEntriesMax = 64;

constexpr std::uint64_t kDomainSizeMax = 63;
constexpr std::uint64_t kIdSizeMax = 32;
constexpr std::uint64_t kAttributeSizeMax = 64;
constexpr std::uint64_t kDeviceEntriesMax = 32;

/// In upstream's order of introduction, in which
/// overloads of one name are tried.
std::vector<const Library*> BaseLibraries() {
  return {&kStandardOperatorsLibrary,
          &kStandardConversionsLibrary,
          &kStandardTextLibrary,
          &kStandardTimeLibrary,
          &kUrlLibrary,
          &kRegexLibrary,
          &kKubernetesListsLibrary,
          &kAuthorizerLibrary,
          &kOptionalLibrary,
          &kQuantityLibrary,
          &kStringsLibrary,
          &kSetsLibrary,
          &kIpLibrary,
          &kCidrLibrary,
          &kFormatLibrary,
          &kTwoVariableLibrary,
          &kSemverLibrary,
          &kListsLibrary};
}

std::shared_ptr<const Environment> Make(EnvironmentOptions options) {
  auto made = Environment::Make(std::move(options));
  PL_ASSERT(made.has_value());
  return *std::move(made);
}

std::shared_ptr<const Environment> MakeTolerationEnvironment() {
  EnvironmentOptions options{.libraries = BaseLibraries(), .objects = {&kTaintType}};
  options.libraries.push_back(&kIncludesLibrary);
  options.variables = {{.name = "taint",
                        .type = kTaintType.name,
                        .size = {.fields = {{.name = "key", .max = kTaintKeySizeMax},
                                            {.name = "value", .max = kTaintValueSizeMax},
                                            {.name = "effect", .max = kTaintEffectSizeMax}}}}};
  return Make(std::move(options));
}

/// Sizes that the members of a node have at most in practice. An evaluation of a larger node is
/// bounded by the limit of its actual cost.
DeclaredSize NodeSize() {
  const DeclaredSize text{.max = kNodeTextSizeMax};
  const auto list_of = [&](std::string_view name, std::vector<std::string_view> fields) {
    DeclaredSize element{.max = fields.size()};
    for (const std::string_view field : fields) {
      element.fields.push_back({.name = field, .max = kNodeTextSizeMax});
    }
    return DeclaredSize{.name = name, .max = kNodeEntriesMax, .elements = {std::move(element)}};
  };
  const auto map_of = [&](std::string_view name) {
    return DeclaredSize{.name = name,
                        .max = kNodeEntriesMax,
                        .elements = {text},
                        .keys = {text},
                        .names_are_elements = true};
  };
  DeclaredSize metadata{
      .name = "metadata",
      .fields = {
          {.name = "name", .max = kNodeTextSizeMax}, map_of("labels"), map_of("annotations")}};
  DeclaredSize spec{.name = "spec",
                    .fields = {list_of("taints", {"key", "value", "effect", "timeAdded"}),
                               {.name = "providerID", .max = kNodeTextSizeMax}}};
  DeclaredSize status{.name = "status",
                      .fields = {list_of("conditions", {"type", "status", "reason", "message",
                                                        "lastHeartbeatTime", "lastTransitionTime"}),
                                 list_of("addresses", {"type", "address"}), map_of("capacity"),
                                 map_of("allocatable"), map_of("nodeInfo")}};
  return {.fields = {std::move(metadata), std::move(spec), std::move(status)}};
}

bool HasLists(DeviceMode mode) {
  return mode == DeviceMode::NewWithLists || mode == DeviceMode::Stored;
}

DeclaredSize MapSize(std::string_view name, std::uint64_t key_max, DeclaredSize element) {
  return {.name = name,
          .max = kDeviceEntriesMax,
          .elements = {std::move(element)},
          .keys = {{.max = key_max}}};
}

DeclaredSize DeviceSize() {
  // All attributes have the same maximum size, regardless of their name.
  DeclaredSize attributes = MapSize({}, kIdSizeMax, {.max = kAttributeSizeMax});
  attributes.names_are_elements = true;
  return {.fields = {{.name = "driver", .max = kDomainSizeMax},
                     MapSize("attributes", kDomainSizeMax, std::move(attributes)),
                     MapSize("capacity", kDomainSizeMax, MapSize({}, kIdSizeMax, {})),
                     {.name = "allowMultipleAllocations", .max = 1}}};
}

ObjectType MakeDeviceType(DeviceMode mode) {
  ObjectType type{.name = "kubernetes.DRADevice",
                  .fields = {{"driver", "string"},
                             {"attributes", HasLists(mode) ? "map(string, map(string, dyn))"
                                                           : "map(string, map(string, any))"},
                             {"capacity", "map(string, map(string, kubernetes.Quantity))"}}};
  if (mode != DeviceMode::NewWithoutCapacity) {
    type.fields.push_back({"allowMultipleAllocations", "bool"});
  }
  return type;
}

std::shared_ptr<const Environment> MakeDeviceEnvironment(DeviceMode mode) {
  EnvironmentOptions options{.libraries = BaseLibraries(), .objects = {&DeviceType(mode)}};
  options.libraries.push_back(&kBindingsLibrary);
  if (HasLists(mode)) options.libraries.push_back(&kIncludesLibrary);
  options.variables = {{.name = "device", .type = DeviceType(mode).name, .size = DeviceSize()}};
  return Make(std::move(options));
}

template <class T, class MakeOne>
std::array<T, 4> ForEachMode(MakeOne make) {
  return {make(DeviceMode::New), make(DeviceMode::NewWithLists),
          make(DeviceMode::NewWithoutCapacity), make(DeviceMode::Stored)};
}

}  // namespace

const ObjectType kTaintType{
    .name = "kubernetes.Taint",
    .fields = {{"key", "string"}, {"value", "string"}, {"effect", "string"}}};

const ObjectType kUserInfoType{.name = "kubernetes.UserInfo",
                               .fields = {{"extra", "map(string, list(string))"},
                                          {"groups", "list(string)"},
                                          {"uid", "string"},
                                          {"username", "string"}}};

const std::shared_ptr<const Environment>& NodeEnvironment() {
  static const auto made =
      Make({.libraries = BaseLibraries(),
            .variables = {{.name = "node", .type = "map(string, dyn)", .size = NodeSize()}}});
  return made;
}

const std::shared_ptr<const Environment>& ClaimsEnvironment() {
  static const auto made = Make({.libraries = BaseLibraries(),
                                 .variables = {{.name = "claims", .type = "map(string, any)"}}});
  return made;
}

const std::shared_ptr<const Environment>& UserInfoEnvironment() {
  static const auto made = Make({.libraries = BaseLibraries(),
                                 .objects = {&kUserInfoType},
                                 .variables = {{.name = "user", .type = kUserInfoType.name}}});
  return made;
}

const std::shared_ptr<const Environment>& TolerationEnvironment() {
  static const auto made = MakeTolerationEnvironment();
  return made;
}

const ObjectType& DeviceType(DeviceMode mode) {
  static const auto made = ForEachMode<ObjectType>(MakeDeviceType);
  return made[static_cast<std::size_t>(mode)];
}

const std::shared_ptr<const Environment>& DeviceEnvironment(DeviceMode mode) {
  static const auto made = ForEachMode<std::shared_ptr<const Environment>>(MakeDeviceEnvironment);
  return made[static_cast<std::size_t>(mode)];
}

}  // namespace plimsoll::cel
