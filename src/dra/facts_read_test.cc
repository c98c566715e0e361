#include "dra/facts_read.h"

#include <gtest/gtest.h>

#include "dra/device_selectors.h"

namespace plimsoll::dra {
namespace {

using Kind = FactName::Kind;

std::string TextOf(const FactName& name) {
  switch (name.kind) {
    case Kind::Driver:
      return "driver";
    case Kind::AllowMultipleAllocations:
      return "multiple";
    case Kind::Attribute:
      return name.qualified;
    case Kind::Capacity:
      return "capacity " + name.qualified;
    case Kind::Everything:
      return "everything";
  }
  return {};
}

struct ReadCase {
  std::string_view expression;
  std::string_view facts;  // separated by spaces
};

TEST(FactsReadTest, FindsWhatAnExpressionNames) {
  const ReadCase kCases[] = {
      {R"(true)", ""},
      {R"(device.driver == "x")", "driver"},
      {R"(device.allowMultipleAllocations)", "multiple"},
      {R"(device.attributes["d"].a == 1)", "d/a"},
      {R"(device.attributes["d"]["a"] == 1)", "d/a"},
      {R"(has(device.attributes["d"].a) && device.attributes["d"].a > 1)", "d/a"},
      {R"(device.attributes["d"].b == device.attributes["e"].a)", "d/b e/a"},
      {R"(device.capacity["d"].memory.isGreaterThan(quantity("1Gi")))", "capacity d/memory"},
      {R"(device.driver == "x" && [1, 2].exists(i, i == device.attributes["d"].a))", "driver d/a"},
      // A whole domain, a computed domain, a domain that may be absent.
      {R"("a" in device.attributes["d"])", "everything"},
      {R"(device.attributes[device.driver].a == 1)", "everything"},
      {R"("d" in device.attributes)", "everything"},
      {R"(device.attributes["d"].a == 1 && size(device.attributes["d"]) == 1)", "everything"},
      {R"(cel.bind(own, device.attributes["d"], own.a == 1))", "everything"},
      {R"(device.attributes[?"d"].hasValue())", "everything"},
      {R"(device.attributes["d"][?"a"].orValue(1) == 1)", "everything"},
  };
  const DeviceSelectors selectors;
  for (const ReadCase& c : kCases) {
    const auto compiled = selectors.Compile(c.expression);
    ASSERT_EQ(compiled->stage, cel::Compilation::Stage::Done) << c.expression << compiled->error;
    std::string text;
    for (const FactName& name : FactsReadBy(*compiled->ast)) {
      if (!text.empty()) text += ' ';
      text += TextOf(name);
    }
    EXPECT_EQ(text, c.facts) << c.expression;
  }
}

TEST(FactsReadTest, FindsTextsThatMustBe) {
  const ReadCase kCases[] = {
      {R"(device.attributes["d"].a == "x")", "d/a=x"},
      {R"("x" == device.attributes["d"]["a"])", "d/a=x"},
      {R"(true && (device.attributes["d"].a == "x" && device.attributes["d"].b == "y") && true)",
       "d/a=x d/b=y"},
      {R"(device.attributes["d"].a == "x" || device.attributes["d"].b == "y")", ""},
      {R"(!(device.attributes["d"].a == "x"))", ""},
      {R"(device.attributes["d"].a != "x")", ""},
      {R"(device.attributes["d"].a == 1)", ""},
      {R"(device.driver == "x")", ""},
      {R"(device.attributes["d"].a == device.attributes["d"].b)", ""},
  };
  const DeviceSelectors selectors;
  for (const ReadCase& c : kCases) {
    std::string text;
    for (const RequiredText& required : TextsRequiredBy(*selectors.Compile(c.expression)->ast)) {
      if (!text.empty()) text += ' ';
      text += required.attribute.qualified + "=" + required.text;
    }
    EXPECT_EQ(text, c.facts) << c.expression;
  }
}

cel::DeviceFacts Gpu() {
  return {.driver = "d",
          .attributes = {{"a", std::int64_t{1}}, {"d/b", true}, {"e/a", std::string_view("1")}},
          .capacity = {{"memory", *Quantity::Parse("1Gi")}}};
}

TEST(FactsReadTest, BareNamesAreInTheDriversDomain) {
  const FactName own{Kind::Attribute, "d/a", 1};
  const FactName other{Kind::Attribute, "e/a", 1};
  cel::DeviceFacts qualified = Gpu();
  qualified.attributes[0].name = "d/a";
  EXPECT_EQ(OnlyFacts({own}, Gpu()).attributes.size(), 1u);
  EXPECT_EQ(OnlyFacts({own}, Gpu()).attributes[0].name, "a");
  EXPECT_EQ(OnlyFacts({own}, qualified).attributes[0].name, "d/a");
  EXPECT_EQ(OnlyFacts({other}, Gpu()).attributes[0].name, "e/a");
}

TEST(FactsReadTest, FindsAFactAmongTheNames) {
  struct Case {
    std::vector<std::string> names;
    std::string_view driver;
    std::optional<std::size_t> place;
  };
  const Case kCases[] = {
      {{}, "d", std::nullopt},
      {{"a", "b"}, "d", 0},
      {{"a", "b"}, "e", std::nullopt},
      {{"b", "d/a"}, "e", 1},
      {{"b", "d/a"}, "d", 1},
      // Both names mean the same attribute; the later one counts.
      {{"a", "b", "d/a"}, "d", 2},
      {{"a", "b", "d/a"}, "e", 2},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(PlaceOf({Kind::Attribute, "d/a", 1}, c.names, c.driver), c.place) << c.driver;
  }
}

TEST(FactsReadTest, BytesTellDifferentValuesApart) {
  using Texts = std::vector<std::string_view>;
  const std::vector<cel::AttributeValue> values = {
      std::monostate{},
      std::int64_t{1},
      std::int64_t{256},
      true,
      false,
      std::string_view("1.2.3"),
      std::string_view(""),
      cel::VersionText{"1.2.3"},
      std::vector<std::int64_t>{1},
      std::vector<std::int64_t>{1, 256},
      std::vector<bool>{true},
      Texts{},
      Texts{""},
      Texts{"ab", "c"},
      Texts{"a", "bc"},
      std::vector<cel::VersionText>{{"1.2.3"}},
  };
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      EXPECT_EQ(ValueBytes(values[i]) == ValueBytes(values[j]), i == j) << i << " and " << j;
    }
  }
}

TEST(FactsReadTest, AttributesWithoutAValueStopEveryExpression) {
  EXPECT_TRUE(CanBeEvaluated(Gpu()));
  cel::DeviceFacts facts = Gpu();
  facts.attributes[0].value = std::monostate{};
  EXPECT_FALSE(CanBeEvaluated(facts));
  facts.attributes[0].value = cel::VersionText{"1.2"};
  EXPECT_FALSE(CanBeEvaluated(facts));
  facts.attributes[0].value = std::vector<cel::VersionText>{{"1.2.3"}, {"1.2"}};
  EXPECT_FALSE(CanBeEvaluated(facts));
  facts.attributes[0].value = cel::VersionText{"1.2.3"};
  EXPECT_TRUE(CanBeEvaluated(facts));
}

}  // namespace
}  // namespace plimsoll::dra
