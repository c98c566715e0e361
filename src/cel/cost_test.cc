#include "cel/cost.h"

#include <gtest/gtest.h>

#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

TEST(CostTest, ArithmeticSaturates) {
  EXPECT_EQ(AddCost(kUnbounded, 1), kUnbounded);
  EXPECT_EQ(MultiplyCost(1ull << 33, 1ull << 33), kUnbounded);
  EXPECT_EQ(ScaleCost(11, 0.1), 2u);
  EXPECT_EQ(ScaleCost(kUnbounded, 0.1), 1844674407370955264u);
  EXPECT_EQ(ScaleCost(kUnbounded, 2), kUnbounded);
}

struct EstimateCase {
  std::string_view text;
  CostRange want;
};

void ExpectAll(const Environment& environment, std::initializer_list<EstimateCase> cases) {
  for (const EstimateCase& test : cases) {
    const auto compiled = environment.Compile(test.text);
    ASSERT_TRUE(compiled.has_value()) << test.text << compiled.error().Text();
    const CostRange got = environment.EstimateCost(*compiled->ast);
    EXPECT_EQ(got.min, test.want.min) << test.text;
    EXPECT_EQ(got.max, test.want.max) << test.text;
  }
}

TEST(CostTest, EstimatesAreUpstreams) {
  ExpectAll(*TolerationEnvironment(),
            {
                {"taint.key.startsWith('env.example.com/')", {4, 4}},
                {"taint.key.matches('^zone-a[12]-rack-[0-9]+$')", {8, 194}},
                {"taint.key.contains('kubernetes.io')", {2, 66}},
                {"taint.effect == 'NoExecute' ? taint.key == 'node.kubernetes.io/not-ready' : true",
                 {3, 8}},
                {"has(taint.key)", {1, 1}},
                {"optional.of(1) == optional.of(2)", {3, 3}},
                {"type(1) == int", {3, 1844674407370955266}},
                {"kubernetes.Taint{key: 'gpu'}.key == 'gpu'", {42, 42}},
                {"dyn(1)", {1, 1}},
                {"quantity('1') == quantity('1')", {3, 3}},
            });
}

// The declared sizes of a device bound otherwise unbounded costs.
TEST(CostTest, DeclaredSizesBoundDevices) {
  const auto& environment = *DeviceEnvironment(DeviceMode::NewWithLists);
  for (const auto& [text, max] : std::initializer_list<std::pair<std::string, std::uint64_t>>{
           {"true", 0},
           {"device.driver == 'dra.example.com'", 4},
           {"device.attributes['dra.example.com'].name", 4},
           {"device.attributes['dra.example.com'].services.split('example').size() >= 2", 19},
           {"device.attributes['dra.example.com'].services.matches('[^a]?sym')", 18},
           {"device.attributes.exists_one(x, x == 'dra.example.com')", 164},
           {"device.attributes['dra.example.com'].exists_one(x, x == 'services')", 133},
           {"device.capacity['dra.example.com'].name.isGreaterThan(quantity('1Ki'))", 6},
           {"cel.bind(dra, device.attributes['dra.example.com'], dra.name)", 15},
           {"device.attributes['dra.example.com'].names.all(x, x != '')", 261},
           {"device.attributes['dra.example.com'].name.includes('fish')", 68},
       }) {
    const auto compiled = environment.Compile(text);
    ASSERT_TRUE(compiled.has_value()) << text << compiled.error().Text();
    EXPECT_EQ(environment.EstimateCost(*compiled->ast).max, max) << text;
  }
}

}  // namespace
}  // namespace plimsoll::cel
