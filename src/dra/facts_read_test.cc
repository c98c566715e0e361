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
  std::string_view facts;  // joined by blanks
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
      // The domain as a whole, a domain that is computed, a domain that may not be there.
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
  EXPECT_NE(FactBytes(own, Gpu()), FactBytes(other, Gpu()));
}

TEST(FactsReadTest, BytesTellDifferentFactsApart) {
  const FactName everything;
  cel::DeviceFacts changed[] = {Gpu(), Gpu(), Gpu(), Gpu(), Gpu(), Gpu()};
  changed[0].driver = "e";
  changed[1].allow_multiple_allocations = true;
  changed[2].attributes[0].value = true;
  changed[3].attributes[2].value = cel::VersionText{"1"};
  changed[4].attributes.pop_back();
  changed[5].capacity[0].value = *Quantity::Parse("2Gi");
  for (const cel::DeviceFacts& facts : changed) {
    EXPECT_NE(FactBytes(everything, facts), FactBytes(everything, Gpu()));
  }
  cel::DeviceFacts same = Gpu();
  same.capacity[0].value = *Quantity::Parse("1024Mi");
  EXPECT_EQ(FactBytes(everything, same), FactBytes(everything, Gpu()));
}

TEST(FactsReadTest, TellsATextByItsBytes) {
  const FactName own{Kind::Attribute, "d/a", 1};
  const auto is_text = [&](cel::AttributeValue value, std::string_view text) {
    cel::DeviceFacts facts = Gpu();
    facts.attributes[0].value = std::move(value);
    return IsText(FactBytes(own, facts), text);
  };
  EXPECT_TRUE(is_text(std::string_view("abc"), "abc"));
  EXPECT_TRUE(is_text(std::string_view(""), ""));
  EXPECT_FALSE(is_text(std::string_view("abc"), "bc"));
  EXPECT_FALSE(is_text(std::string_view("abc"), ""));
  EXPECT_FALSE(is_text(std::string_view("abc"), "abcd"));
  EXPECT_FALSE(is_text(cel::VersionText{"1.2.3"}, "1.2.3"));
  EXPECT_FALSE(is_text(std::vector<std::string_view>{"abc"}, "abc"));
  EXPECT_FALSE(IsText(FactBytes(FactName{Kind::Attribute, "d/z", 1}, Gpu()), ""));
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
