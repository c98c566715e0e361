#include "api/validation/device/go_value.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/assert.h"
#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

struct GoStruct;

/// JSON of a field's zero value.
enum class Zero : std::uint8_t { Null, Text, Number, Struct, Nothing };

struct GoField {
  std::string_view go;
  std::string_view json;
  Zero zero = Zero::Null;
  bool omits_empty = true;         // in the versioned form
  const GoStruct* type = nullptr;  // type of the value or of the list's items; null: plain
};

struct GoStruct {
  std::span<const GoField> fields;
  bool has_metadata = false;  // an embedded ObjectMeta
};

constexpr GoField kTolerationFields[] = {{"Key", "key", Zero::Text},
                                         {"Operator", "operator", Zero::Text},
                                         {"Value", "value", Zero::Text},
                                         {"Effect", "effect", Zero::Text},
                                         {"TolerationSeconds", "tolerationSeconds"},
                                         {"Expression", "expression", Zero::Nothing}};
constexpr GoStruct kToleration{kTolerationFields};

constexpr GoField kCelFields[] = {{"Expression", "expression", Zero::Text, false}};
constexpr GoStruct kCel{kCelFields};
constexpr GoField kSelectorFields[] = {{"CEL", "cel", Zero::Null, true, &kCel}};
constexpr GoStruct kSelector{kSelectorFields};

constexpr GoField kCapacityFields[] = {{"Requests", "requests"}};
constexpr GoStruct kCapacity{kCapacityFields};

constexpr GoField kDerivedFields[] = {{"Name", "name", Zero::Text, false},
                                      {"Expression", "expression", Zero::Text, false}};
constexpr GoStruct kDerived{kDerivedFields};

constexpr GoField kExactFields[] = {
    {"DeviceClassName", "deviceClassName", Zero::Text, false},
    {"Selectors", "selectors", Zero::Null, true, &kSelector},
    {"AllocationMode", "allocationMode", Zero::Text},
    {"Count", "count", Zero::Number},
    {"AdminAccess", "adminAccess"},
    {"Tolerations", "tolerations", Zero::Null, true, &kToleration},
    {"Capacity", "capacity", Zero::Null, true, &kCapacity},
    {"DerivedAttributes", "derivedAttributes", Zero::Null, true, &kDerived}};
constexpr GoStruct kExact{kExactFields};

constexpr GoField kSubRequestFields[] = {
    {"Name", "name", Zero::Text, false},
    {"DeviceClassName", "deviceClassName", Zero::Text, false},
    {"Selectors", "selectors", Zero::Null, true, &kSelector},
    {"AllocationMode", "allocationMode", Zero::Text},
    {"Count", "count", Zero::Number},
    {"Tolerations", "tolerations", Zero::Null, true, &kToleration},
    {"Capacity", "capacity", Zero::Null, true, &kCapacity},
    {"DerivedAttributes", "derivedAttributes", Zero::Null, true, &kDerived}};
constexpr GoStruct kSubRequest{kSubRequestFields};

constexpr GoField kRequestFields[] = {
    {"Name", "name", Zero::Text, false},
    {"Exactly", "exactly", Zero::Null, true, &kExact},
    {"FirstAvailable", "firstAvailable", Zero::Null, true, &kSubRequest}};
constexpr GoStruct kRequest{kRequestFields};

constexpr GoField kConstraintFields[] = {{"Requests", "requests"},
                                         {"MatchAttribute", "matchAttribute"},
                                         {"DistinctAttribute", "distinctAttribute"}};
constexpr GoStruct kConstraint{kConstraintFields};

constexpr GoField kOpaqueFields[] = {{"Driver", "driver", Zero::Text, false},
                                     {"Parameters", "parameters", Zero::Null, false}};
constexpr GoStruct kOpaque{kOpaqueFields};
constexpr GoField kConfigFields[] = {{"Requests", "requests"},
                                     {"Opaque", "opaque", Zero::Null, true, &kOpaque}};
constexpr GoStruct kConfig{kConfigFields};

constexpr GoField kDevicesFields[] = {
    {"Requests", "requests", Zero::Null, true, &kRequest},
    {"Constraints", "constraints", Zero::Null, true, &kConstraint},
    {"Config", "config", Zero::Null, true, &kConfig}};
constexpr GoStruct kDevices{kDevicesFields};
constexpr GoField kClaimSpecFields[] = {{"Devices", "devices", Zero::Struct, true, &kDevices}};
constexpr GoStruct kClaimSpec{kClaimSpecFields};
constexpr GoField kTemplateSpecFields[] = {{"Spec", "spec", Zero::Struct, true, &kClaimSpec}};
constexpr GoStruct kTemplateSpec{kTemplateSpecFields, true};

constexpr GoField kAttributeFields[] = {{"IntValue", "int"},         {"BoolValue", "bool"},
                                        {"StringValue", "string"},   {"VersionValue", "version"},
                                        {"IntValues", "ints"},       {"BoolValues", "bools"},
                                        {"StringValues", "strings"}, {"VersionValues", "versions"}};
constexpr GoStruct kAttribute{kAttributeFields};

constexpr GoField kCounterSetFields[] = {{"Name", "name", Zero::Text, false},
                                         {"Counters", "counters", Zero::Null, false}};
constexpr GoStruct kCounterSet{kCounterSetFields};
constexpr GoField kConsumptionFields[] = {{"CounterSet", "counterSet", Zero::Text, false},
                                          {"Counters", "counters", Zero::Null, false}};
constexpr GoStruct kConsumption{kConsumptionFields};

constexpr std::string_view kMetadataFields[] = {"name",
                                                "generateName",
                                                "namespace",
                                                "uid",
                                                "resourceVersion",
                                                "generation",
                                                "creationTimestamp",
                                                "deletionTimestamp",
                                                "deletionGracePeriodSeconds",
                                                "labels",
                                                "annotations",
                                                "ownerReferences",
                                                "finalizers",
                                                "managedFields"};

const GoStruct& StructOf(GoType type) {
  switch (type) {
    case GoType::DeviceAttribute:
      return kAttribute;
    case GoType::DeviceRequest:
      return kRequest;
    case GoType::DeviceSubRequest:
      return kSubRequest;
    case GoType::CounterSet:
      return kCounterSet;
    case GoType::DeviceCounterConsumption:
      return kConsumption;
    case GoType::ResourceClaimTemplateSpec:
      return kTemplateSpec;
  }
  PL_ASSERT(false);
  return kRequest;
}

bool IsEmpty(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Null:
      return true;
    case Value::Kind::String:
      return value.text().empty();
    case Value::Kind::Int:
      return value.AsInt() == 0;
    case Value::Kind::Array:
      return value.items().empty();
    default:
      return false;
  }
}

/// Appends objects member by member.
class Printer {
 public:
  Printer(bool is_versioned, std::string& out) : is_versioned_(is_versioned), out_(out) {}

  void Struct(const GoStruct& type, const Value* tree) {
    bool is_first = true;
    out_ += '{';
    if (type.has_metadata) Metadata(tree != nullptr ? tree->Find("metadata") : nullptr, is_first);
    for (const GoField& field : type.fields) {
      const Value* const value = tree != nullptr ? tree->Find(field.json) : nullptr;
      if (IsSkipped(field, value)) continue;
      Key(is_versioned_ ? field.json : field.go, is_first);
      if (value == nullptr) {
        Nothing(field);
      } else {
        Field(field, *value);
      }
    }
    out_ += '}';
  }

 private:
  bool IsSkipped(const GoField& field, const Value* value) const {
    if (value == nullptr && field.zero == Zero::Nothing) return true;
    return is_versioned_ && field.omits_empty && (value == nullptr || IsEmpty(*value));
  }

  void Key(std::string_view key, bool& is_first) {
    if (!is_first) out_ += ',';
    is_first = false;
    out_ += GoJsonQuote(key) + ":";
  }

  void Nothing(const GoField& field) {
    switch (field.zero) {
      case Zero::Text:
        out_ += R"("")";
        return;
      case Zero::Number:
        out_ += '0';
        return;
      case Zero::Struct:
        return Struct(*field.type, nullptr);
      case Zero::Null:
      case Zero::Nothing:
        out_ += "null";
        return;
    }
  }

  void Field(const GoField& field, const Value& value) {
    if (field.type == nullptr) return Plain(value);
    if (!value.is_array()) return Struct(*field.type, &value);
    out_ += '[';
    for (const Value& item : value.items()) {
      if (out_.back() != '[') out_ += ',';
      Struct(*field.type, &item);
    }
    out_ += ']';
  }

  /// Maps are printed sorted by key.
  void Plain(const Value& value) {
    if (value.is_string()) {
      out_ += GoJsonQuote(value.text());
    } else if (value.is_object()) {
      std::vector<const Member*> members;
      for (const Member& member : value.members()) members.push_back(&member);
      std::ranges::sort(members, {}, &Member::key);
      bool is_first = true;
      out_ += '{';
      for (const Member* const member : members) {
        Key(member->key, is_first);
        Plain(member->value);
      }
      out_ += '}';
    } else {
      codec::AppendJson(value, out_);
    }
  }

  void Metadata(const Value* metadata, bool& is_first) {
    for (const std::string_view name : kMetadataFields) {
      const Value* const value = metadata != nullptr ? metadata->Find(name) : nullptr;
      if (value == nullptr || IsEmpty(*value)) continue;
      Key(name, is_first);
      Plain(*value);
    }
  }

  const bool is_versioned_;
  std::string& out_;
};

std::string Printed(GoType type, const Value& tree, bool is_versioned) {
  std::string out;
  Printer(is_versioned, out).Struct(StructOf(type), &tree);
  return out;
}

}  // namespace

std::string InternalJson(GoType type, const Value& tree) { return Printed(type, tree, false); }
std::string VersionedJson(GoType type, const Value& tree) { return Printed(type, tree, true); }

}  // namespace plimsoll::api
