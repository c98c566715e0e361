#include "cel/check/well_known.h"

#include <algorithm>
#include <array>

namespace plimsoll::cel {
namespace {

constexpr std::array kAnyFields{ObjectField{"type_url", "string"}, ObjectField{"value", "bytes"}};
constexpr std::array kTimeFields{ObjectField{"seconds", "int"}, ObjectField{"nanos", "int"}};
constexpr std::array kStructFields{ObjectField{"fields", "map(string, dyn)"}};
constexpr std::array kListFields{ObjectField{"values", "list(dyn)"}};
constexpr std::array kValueFields{ObjectField{"null_value", "int"},
                                  ObjectField{"number_value", "double"},
                                  ObjectField{"string_value", "string"},
                                  ObjectField{"bool_value", "bool"},
                                  ObjectField{"struct_value", "map(string, dyn)"},
                                  ObjectField{"list_value", "list(dyn)"}};
constexpr std::array kBoolFields{ObjectField{"value", "bool"}};
constexpr std::array kBytesFields{ObjectField{"value", "bytes"}};
constexpr std::array kDoubleFields{ObjectField{"value", "double"}};
constexpr std::array kIntFields{ObjectField{"value", "int"}};
constexpr std::array kStringFields{ObjectField{"value", "string"}};
constexpr std::array kUintFields{ObjectField{"value", "uint"}};

constexpr std::array kTypes{
    WellKnownType{"google.protobuf.Any", "any", kAnyFields},
    WellKnownType{"google.protobuf.Duration", "duration", kTimeFields},
    WellKnownType{"google.protobuf.Timestamp", "timestamp", kTimeFields},
    WellKnownType{"google.protobuf.Struct", "map(string, dyn)", kStructFields},
    WellKnownType{"google.protobuf.ListValue", "list(dyn)", kListFields},
    WellKnownType{"google.protobuf.Value", "dyn", kValueFields},
    WellKnownType{"google.protobuf.BoolValue", "wrapper(bool)", kBoolFields},
    WellKnownType{"google.protobuf.BytesValue", "wrapper(bytes)", kBytesFields},
    WellKnownType{"google.protobuf.DoubleValue", "wrapper(double)", kDoubleFields},
    WellKnownType{"google.protobuf.FloatValue", "wrapper(double)", kDoubleFields},
    WellKnownType{"google.protobuf.Int32Value", "wrapper(int)", kIntFields},
    WellKnownType{"google.protobuf.Int64Value", "wrapper(int)", kIntFields},
    WellKnownType{"google.protobuf.StringValue", "wrapper(string)", kStringFields},
    WellKnownType{"google.protobuf.UInt32Value", "wrapper(uint)", kUintFields},
    WellKnownType{"google.protobuf.UInt64Value", "wrapper(uint)", kUintFields},
};

}  // namespace

std::span<const WellKnownType> WellKnownTypes() { return kTypes; }

const WellKnownType* FindWellKnownType(std::string_view name) {
  const auto found = std::ranges::find(kTypes, name, &WellKnownType::name);
  return found == kTypes.end() ? nullptr : &*found;
}

}  // namespace plimsoll::cel
