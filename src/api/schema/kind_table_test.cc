#include "api/schema/kind_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "api/apply/apply.h"
#include "api/defaults/stored_form.h"
#include "api/object.h"
#include "api/validation/object.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kWidgets = R"(# A custom resource.
package com.example.v1
group example.com
version v1
go v1

kind Widget
  list WidgetList
  resource widgets widget Namespaced
  short wd
  verbs create delete get list patch update watch
  subresource status Widget get patch update
  column "Name" string format=name
  column "Size of it" integer value=.spec.size priority=1

type Widget
  apiVersion string
  kind string
  metadata meta_v1.ObjectMeta
  spec WidgetSpec required

type WidgetSpec -- The widget that is wanted.
  size int32 set=1 -- In inches.
  mode string:Mode fill="Auto" enum=Auto|Manual
  limits map[quantity]:v1.ResourceList
  parts []Part listType=map listMapKeys=name
  selector meta_v1.LabelSelector

type Part
  name string required
  count int64 set=2
  parts []Part

type WidgetList
  apiVersion string
  items []Widget required
  kind string
  metadata meta_v1.ListMeta
)";

KindTable Widgets() {
  auto table = KindTable::Parse(std::string(kWidgets));
  PL_ASSERT(table.has_value());
  return *std::move(table);
}

Result<DecodedObject> DecodeWidget(const KindTable& table, std::string_view rest,
                                   FieldValidation mode = FieldValidation::Strict) {
  const std::string head = R"({"apiVersion":"example.com/v1","kind":"Widget",)";
  const std::shared_ptr<codec::Document> document =
      *codec::ParseJson(head + std::string(rest) + "}");
  return DecodeObject(document, {.field_validation = mode, .kinds = &table});
}

TEST(KindTableTest, DescribesAKind) {
  const KindTable table = Widgets();
  const KindDesc* kind = table.FindKind("example.com", "v1", "Widget");
  ASSERT_NE(kind, nullptr);
  EXPECT_EQ(kind->plural, "widgets");
  EXPECT_TRUE(kind->is_namespaced);
  EXPECT_THAT(kind->short_names, testing::ElementsAre("wd"));
  EXPECT_EQ(kind->subresources[0].group, "example.com");
  EXPECT_EQ(kind->columns[1].name, "Size of it");
  EXPECT_EQ(kind->columns[1].priority, 1);
  EXPECT_EQ(table.FindKind("example.com", "v1", "WidgetList")->item_kind, "Widget");
  EXPECT_EQ(table.FindKind("", "v1", "Widget"), nullptr);
  EXPECT_EQ(table.FindType("com.example.v1.Part")->go_name, "v1.Part");
  EXPECT_EQ(FindKind("example.com", "v1", "Widget"), nullptr);
}

TEST(KindTableTest, ObjectsAreCheckedDefaultedAndDecoded) {
  const KindTable table = Widgets();
  const auto decoded = DecodeWidget(
      table, R"("metadata":{"name":"w","labels":{"a":"b"}},"spec":{"parts":[{"name":"p"}]})");
  ASSERT_TRUE(decoded.has_value()) << decoded.error().Text();
  const Object& object = *decoded->object;
  EXPECT_EQ(object.metadata().labels.Find("a"), "b");
  EXPECT_NE(object.As<UntypedObject>(), nullptr);
  EXPECT_EQ(codec::WriteJson(*object.tree().Find("spec")),
            R"({"parts":[{"name":"p","count":2}],"size":1,"mode":"Auto"})");
}

TEST(KindTableTest, WrongTypesAndUnknownFieldsAreReported) {
  const KindTable table = Widgets();
  EXPECT_EQ(
      DecodeWidget(table, R"("spec":{"size":"big"})").error().message,
      R"(Widget in version "v1" cannot be handled as a Widget: json: cannot unmarshal string )"
      R"(into Go struct field WidgetSpec.spec.size of type int32)");
  EXPECT_EQ(DecodeWidget(table, R"("spec":{"sise":1})").error().message,
            R"(Widget in version "v1" cannot be handled as a Widget: strict decoding error: )"
            R"(unknown field "spec.sise")");
  const auto pruned =
      DecodeWidget(table, R"("spec":{"sise":1,"size":3,"mode":"Manual"})", FieldValidation::Ignore);
  EXPECT_EQ(codec::WriteJson(*pruned->object->tree().Find("spec")),
            R"({"size":3,"mode":"Manual"})");
}

TEST(KindTableTest, ObjectsAreValidatedAndPutInStoredForm) {
  const KindTable table = Widgets();
  const auto decoded =
      DecodeWidget(table, R"("metadata":{"name":"W"},"spec":{"limits":{"cpu":"0.5"},"size":0})");
  const FieldErrors errors = ValidateCreate(*decoded->object, {});
  ASSERT_FALSE(errors.empty());

  codec::Document copy;
  copy.root() = copy.Clone(decoded->object->tree());
  PutInStoredForm(copy, copy.root(), *decoded->object->kind().type);
  EXPECT_EQ(codec::WriteJson(*copy.root().Find("spec")),
            R"({"limits":{"cpu":"500m"},"size":0,"mode":"Auto"})");
}

TEST(KindTableTest, ApplyMergesByTheDescribedKeys) {
  const KindTable table = Widgets();
  const KindDesc* kind = table.FindKind("example.com", "v1", "Widget");
  const auto apply = [&](const std::string& live, std::string_view manager,
                         const std::string& parts) {
    const std::string config =
        R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"parts":)" +
        parts + "}}";
    const auto before = live.empty() ? nullptr : *codec::ParseJson(live);
    const auto wanted = *codec::ParseJson(config);
    codec::Document out;
    const auto applied = Apply(out, before == nullptr ? nullptr : &before->root(), wanted->root(),
                               {.writer = {.manager = manager, .kind = kind}, .is_forced = false});
    if (!applied) return applied.error().Text();
    if (!applied->conflicts.empty()) return applied->conflict_message;
    return codec::WriteJson(applied->object);
  };
  const std::string first = apply("", "a", R"([{"name":"x","count":1}])");
  const std::string both = apply(first, "b", R"([{"name":"y","count":5}])");
  EXPECT_THAT(both,
              testing::HasSubstr(R"("parts":[{"name":"x","count":1},{"name":"y","count":5}])"));
  EXPECT_THAT(both, testing::HasSubstr(R"("manager":"a")"));
  EXPECT_THAT(apply(both, "b", R"([{"name":"x","count":3}])"),
              testing::HasSubstr("conflict with \"a\""));
}

TEST(KindTableTest, NamesTheFirstMistake) {
  const std::pair<std::string_view, std::string_view> kCases[] = {
      {"kind", "line 1: nothing after 'kind'"},
      {"view Pod", "line 1: unknown word 'view'"},
      {"  name string", "line 1: belongs to no kind and no type"},
      {"type A\n  b", "line 2: a field needs a type"},
      {"type A\n  b Wheel", "line 2: no type 'Wheel' is described"},
      {"type A\n  b meta_v1.Wheel", "line 2: no type 'meta_v1.Wheel' is described"},
      {"type A\n  b map[string", "line 2: no ] in 'map[string'"},
      {"type A\n  b string set={", "line 2: unknown or wrong attribute 'set={'"},
      {"type A\n  b string color=red", "line 2: unknown or wrong attribute 'color=red'"},
      {"type A\n  b string\n  b string", "line 3: field b is described twice"},
      {"type A\ntype A", "line 2: type A is described twice"},
      {"type A hook", "line 1: unknown or wrong attribute 'hook'"},
      {"kind A\nkind A", "line 2: kind A is described twice"},
      {"kind A", "line 1: no type 'A' is described"},
      {"kind A\n  list AList\ntype A", "line 1: no type 'AList' is described"},
      {"kind A\n  resource as a World", "line 2: unknown or wrong line 'resource'"},
      {"kind A\n  color red", "line 2: unknown or wrong line 'color'"},
      {"type A\n  b [][][][][][][][][][][][][][][][][][]string",
       "line 2: too many lists and maps within each other"},
  };
  for (const auto& [text, want] : kCases) {
    const auto table = KindTable::Parse(std::string(text));
    ASSERT_FALSE(table.has_value()) << text;
    EXPECT_EQ(table.error().message, want);
  }
}

std::string ShapeText(const Shape& shape) {
  std::string text = std::to_string(static_cast<int>(shape.kind)) + " " +
                     std::string(shape.go_name) + (shape.is_resource_list ? " resources" : "");
  if (shape.element != nullptr) text += " of " + ShapeText(*shape.element);
  if (shape.type != nullptr) text += " " + std::string(shape.type->name);
  return text;
}

void ExpectSame(const FieldDesc& a, const FieldDesc& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(ShapeText(*a.shape), ShapeText(*b.shape)) << a.name;
  EXPECT_EQ(std::tuple(a.required, a.fills_zero, a.list_type, a.map_type, a.default_json,
                       a.set_json, a.merge_key, a.doc),
            std::tuple(b.required, b.fills_zero, b.list_type, b.map_type, b.default_json,
                       b.set_json, b.merge_key, b.doc))
      << a.name;
  EXPECT_TRUE(std::ranges::equal(a.patch_strategies, b.patch_strategies)) << a.name;
  EXPECT_TRUE(std::ranges::equal(a.list_map_keys, b.list_map_keys)) << a.name;
  EXPECT_TRUE(std::ranges::equal(a.enum_values, b.enum_values)) << a.name;
}

void ExpectSame(const KindDesc& a, const KindDesc& b) {
  EXPECT_EQ(std::tuple(a.type->name, a.list_kind, a.item_kind, a.plural, a.singular,
                       a.is_namespaced, a.columns.size()),
            std::tuple(b.type->name, b.list_kind, b.item_kind, b.plural, b.singular,
                       b.is_namespaced, b.columns.size()))
      << a.kind;
  EXPECT_TRUE(std::ranges::equal(a.short_names, b.short_names)) << a.kind;
  EXPECT_TRUE(std::ranges::equal(a.categories, b.categories)) << a.kind;
  EXPECT_TRUE(std::ranges::equal(a.verbs, b.verbs)) << a.kind;
  ASSERT_EQ(a.subresources.size(), b.subresources.size()) << a.kind;
  for (std::size_t i = 0; i < a.subresources.size(); ++i) {
    EXPECT_EQ(std::tuple(a.subresources[i].name, a.subresources[i].group, a.subresources[i].kind),
              std::tuple(b.subresources[i].name, b.subresources[i].group, b.subresources[i].kind));
  }
}

/// Hooks and views are code, so a description that is read at run time has none.
std::string WithoutCode(std::string text) {
  text = text.substr(0, text.find("# ---- Views"));
  for (std::size_t at = 0; (at = text.find(" hook", at)) != text.npos;) {
    const std::size_t line = text.rfind('\n', at) + 1;
    if (text.compare(line, 5, "type ") == 0) {
      text.erase(at, 5);
    } else {
      ++at;
    }
  }
  return text;
}

TEST(KindTableTest, ReadsTheBuiltInDescriptionsAsTheGeneratorDoes) {
  std::size_t types_seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(PLIMSOLL_KINDS_DIRECTORY)) {
    std::ifstream file(entry.path());
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto table = KindTable::Parse(WithoutCode(text));
    ASSERT_TRUE(table.has_value()) << entry.path() << table.error().message;
    for (const KindDesc& kind : table->kinds()) {
      ExpectSame(kind, *FindKind(kind.group, kind.version, kind.kind));
    }
    for (const TypeDesc& built_in : AllTypes()) {
      const TypeDesc* type = table->FindType(built_in.name);
      if (type == nullptr) continue;
      ++types_seen;
      EXPECT_EQ(std::tuple(type->go_name, type->map_type, type->unions_json, type->doc),
                std::tuple(built_in.go_name, built_in.map_type, built_in.unions_json, built_in.doc))
          << type->name;
      EXPECT_TRUE(std::ranges::equal(type->defaulted, built_in.defaulted)) << type->name;
      ASSERT_EQ(type->fields.size(), built_in.fields.size()) << type->name;
      for (std::size_t i = 0; i < type->fields.size(); ++i) {
        ExpectSame(type->fields[i], built_in.fields[i]);
      }
    }
  }
  EXPECT_EQ(types_seen, AllTypes().size());
}

}  // namespace
}  // namespace plimsoll::api
