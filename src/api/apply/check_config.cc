#include "api/apply/check_config.h"

#include <algorithm>
#include <vector>

#include "api/apply/field_set.h"
#include "api/apply/ownership.h"
#include "api/patch/go_values.h"

namespace plimsoll::api {
namespace {

using codec::Member;
using codec::Value;

class Checker {
 public:
  /// `hides_values`: omit values from the faults, because they are secret.
  explicit Checker(bool hides_values) : hides_values_(hides_values) {}

  void Check(const Value& value, const Shape& shape, const FieldDesc* field) {
    if (value.is_null()) return;
    switch (shape.kind) {
      case ShapeKind::String:
      case ShapeKind::Bytes:
        if (!value.is_string()) {
          Refuse("expected string, got &value.valueUnstructured{Value:" + Shown(value) + "}");
        }
        break;
      case ShapeKind::Int32:
      case ShapeKind::Int64:
        if (!value.is_number()) {
          Refuse("expected numeric (int or float), got " + std::string(GoTypeText(value)));
        }
        break;
      case ShapeKind::Bool:
        if (!value.is_bool()) Refuse("expected boolean, got &{" + Shown(value) + "}");
        break;
      case ShapeKind::Struct:
        CheckStruct(value, *shape.type);
        break;
      case ShapeKind::Map:
        if (!value.is_object()) RefuseKind("map", value);
        for (const Member& member : value.members()) {
          path_.push_back(PathElement::Field(member.key));
          Check(member.value, *shape.element, nullptr);
          path_.pop_back();
        }
        break;
      case ShapeKind::List:
        CheckList(value, shape, Ownership::Of(shape, field));
        break;
      default:
        break;
    }
  }

  void CheckStruct(const Value& value, const TypeDesc& type) {
    if (!value.is_object()) RefuseKind("map", value);
    for (const Member& member : value.members()) {
      path_.push_back(PathElement::Field(member.key));
      const codec::FieldId field = FindField(type, member.key);
      if (field == codec::kUnknownField) {
        Refuse("field not declared in schema");
      } else {
        Check(member.value, *type.fields[field].shape, &type.fields[field]);
      }
      path_.pop_back();
    }
  }

  std::string Text() const {
    if (faults_.empty()) return {};
    if (faults_.size() == 1) return faults_.front();
    std::string text = "errors:";
    for (const std::string& fault : faults_) text += "\n  " + fault;
    return text;
  }

 private:
  void CheckList(const Value& list, const Shape& shape, const Ownership& how) {
    if (!list.is_array()) RefuseKind("list", list);
    std::vector<PathElement> seen;
    for (std::size_t i = 0; i < list.items().size(); ++i) {
      const Value& item = list.items()[i];
      PathElement element = PathElement::Index(static_cast<std::int64_t>(i));
      if (how.is_list()) {
        const Result<PathElement> path = how.ElementPath(arena_, item);
        if (!path) {
          Refuse("element " + std::to_string(i) + ": " + path.error().message);
          continue;
        }
        element = *path;
        seen.push_back(element);
      }
      path_.push_back(element);
      Check(item, *shape.element, nullptr);
      path_.pop_back();
    }
    std::ranges::sort(seen);
    for (std::size_t i = 1; i < seen.size(); ++i) {
      if (seen[i] == seen[i - 1]) Refuse("duplicate entries for key " + seen[i].Text());
    }
  }

  void RefuseKind(std::string_view want, const Value& got) {
    Refuse("expected " + std::string(want) + ", got &{" + Shown(got) + "}");
  }
  std::string Shown(const Value& value) const {
    return hides_values_ ? "<value omitted>" : GoText(value);
  }
  void Refuse(const std::string& why) {
    if (faults_.size() >= kFaultsMax) return;
    faults_.push_back(path_.empty() ? why : PathText(path_) + ": " + why);
  }

  static constexpr std::size_t kFaultsMax = 100;

  const bool hides_values_;
  codec::Document arena_;
  std::vector<PathElement> path_;
  std::vector<std::string> faults_;
};

}  // namespace

std::string CheckConfig(const Value& config, const TypeDesc& type) {
  Checker checker(type.go_name == "v1.Secret");
  checker.CheckStruct(config, type);
  return checker.Text();
}

}  // namespace plimsoll::api
