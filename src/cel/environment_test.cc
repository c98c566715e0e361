#include "cel/environment.h"

#include <gtest/gtest.h>

#include <array>

#include "cel/builder.h"
#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

constexpr std::array kTwice{Function{.id = "f", .name = "f", .signature = "int -> int"},
                            Function{.id = "f", .name = "f", .signature = "uint -> int"}};
constexpr std::array kNoArrow{Function{.id = "g", .name = "g", .signature = "int"}};
constexpr std::array kBadType{Function{.id = "h", .name = "h", .signature = "list( -> int"}};
constexpr std::array kMixed{
    Function{.id = "m", .name = "m", .signature = "map(A, list(B)), A -> optional_type(B)"}};

TEST(EnvironmentTest, WrongDeclarationsAreRefused) {
  for (const std::span<const Function> functions :
       {std::span<const Function>(kTwice), std::span<const Function>(kNoArrow),
        std::span<const Function>(kBadType)}) {
    const Library library{.name = "wrong", .functions = functions};
    EXPECT_FALSE(Environment::Make({.libraries = {&library}}).has_value());
  }
  EXPECT_FALSE(Environment::Make({.variables = {{"x", "int", {}}, {"x", "uint", {}}}}).has_value());
  const ObjectType object{.name = "o", .fields = {{"f", "list("}}};
  EXPECT_FALSE(Environment::Make({.objects = {&object}}).has_value());
}

TEST(EnvironmentTest, SignaturesAreReadOnce) {
  const Library library{.name = "mixed", .functions = kMixed};
  const auto environment = *Environment::Make({.libraries = {&library}});
  const FunctionSet* const set = environment->FindFunction("m");
  ASSERT_NE(set, nullptr);
  const Overload& overload = *set->overloads[0];
  ASSERT_EQ(overload.parameters.size(), 2u);
  EXPECT_EQ(OutputText(overload.parameters[0]), "map(<A>, list(<B>))");
  EXPECT_EQ(OutputText(overload.result), "optional_type(<B>)");
  EXPECT_EQ(overload.type_params.size(), 2u);
  EXPECT_EQ(environment->FindFunction("n"), nullptr);
}

TEST(EnvironmentTest, MacrosAreFoundByNameCountAndTarget) {
  const auto& environment = *TolerationEnvironment();
  EXPECT_NE(environment.FindMacro("all", 2, true), nullptr);
  EXPECT_NE(environment.FindMacro("all", 3, true), nullptr);
  EXPECT_EQ(environment.FindMacro("all", 2, false), nullptr);
  EXPECT_EQ(environment.FindMacro("existsOne", 2, true), nullptr);
  EXPECT_EQ(environment.FindMacro("bind", 3, true), nullptr);
  EXPECT_NE(DeviceEnvironment(DeviceMode::New)->FindMacro("bind", 3, true), nullptr);
}

TEST(EnvironmentTest, ModesOfDevicesDiffer) {
  const auto compiles = [](DeviceMode mode, std::string_view text) {
    return DeviceEnvironment(mode)->Compile(text).has_value();
  };
  EXPECT_TRUE(compiles(DeviceMode::New, "device.allowMultipleAllocations"));
  EXPECT_FALSE(compiles(DeviceMode::NewWithoutCapacity, "device.allowMultipleAllocations"));
  EXPECT_FALSE(compiles(DeviceMode::New, "['a'].includes('a')"));
  EXPECT_TRUE(compiles(DeviceMode::Stored, "['a'].includes('a')"));
  EXPECT_FALSE(compiles(DeviceMode::New, "device.attributes['a'].b.all(x, true)"));
  EXPECT_TRUE(compiles(DeviceMode::NewWithLists, "device.attributes['a'].b.all(x, true)"));
}

TEST(EnvironmentTest, BytesThatAreNoTextAreStillAnswered) {
  const auto compiled = TolerationEnvironment()->Compile("'\xff' == \xfe");
  ASSERT_FALSE(compiled.has_value());
  EXPECT_EQ(compiled.error().stage, Issues::Stage::Parse);
}

}  // namespace
}  // namespace plimsoll::cel
