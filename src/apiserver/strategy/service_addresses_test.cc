#include "apiserver/strategy/service_addresses.h"

#include <gtest/gtest.h>

#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kServices = "/api/v1/namespaces/default/services";

std::string Service(std::string_view name, std::string_view spec = "", std::string_view port = "") {
  return R"({"metadata":{"name":")" + std::string(name) + R"("},"spec":{"ports":[{"port":80)" +
         std::string(port) + "}]" + std::string(spec) + "}}";
}

TEST(ServiceAddressesTest, WhatIsReservedIsTakenUntilItIsLetGo) {
  CacheFixture fixture;
  ServiceAddresses addresses(fixture.cache(), fixture.Of("services"), 1);
  auto held = *addresses.ReserveAddress("10.96.0.10", false);
  ASSERT_TRUE(held.has_value());
  EXPECT_FALSE(addresses.ReserveAddress("10.96.0.10", false)->has_value());
  held.reset();
  EXPECT_TRUE(addresses.ReserveAddress("10.96.0.10", false)->has_value());
}

TEST(ServiceAddressesTest, TheRangeHasEnds) {
  EXPECT_TRUE(ServiceAddresses::IsInRange("10.96.0.1"));
  EXPECT_TRUE(ServiceAddresses::IsInRange("10.111.255.254"));
  for (const std::string_view text :
       {"10.96.0.0", "10.111.255.255", "10.95.255.255", "10.112.0.0", "10.96.0", "x", "fd00::1"}) {
    EXPECT_FALSE(ServiceAddresses::IsInRange(text)) << text;
  }
}

TEST(ServiceAddressesTest, AServiceGetsAnAddressAndKeepsIt) {
  WriterFixture server;
  const TestAnswer made = server.Post(kServices, Service("a"));
  ASSERT_EQ(made.code, 201) << made.body;
  const std::string ip = made.At("spec", "clusterIP");
  EXPECT_TRUE(ServiceAddresses::IsInRange(ip));
  EXPECT_EQ(made.At("spec", "clusterIPs"), "[\"" + ip + "\"]");
  EXPECT_EQ(made.At("spec", "ipFamilies"), R"(["IPv4"])");
  EXPECT_EQ(made.At("spec", "ipFamilyPolicy"), "SingleStack");
  const TestAnswer changed =
      server.Put(std::string(kServices) + "/a", Service("a", R"(,"selector":{"a":"b"})"));
  EXPECT_EQ(changed.At("spec", "clusterIP"), ip) << changed.body;
  const TestAnswer taken = server.Post(kServices, Service("b", ",\"clusterIP\":\"" + ip + "\""));
  EXPECT_EQ(taken.code, 422);
  EXPECT_EQ(taken.message(), "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"" + ip +
                                 "\"]: failed to allocate IP " + ip +
                                 ": provided IP is already allocated");
}

struct AddressCase {
  std::string name;
  std::string spec;
  int code = 0;
  std::string ip;
  std::string message;
};

class AddressTest : public testing::TestWithParam<AddressCase> {};

TEST_P(AddressTest, Is) {
  WriterFixture server;
  const TestAnswer made = server.Post(kServices, Service("a", GetParam().spec));
  EXPECT_EQ(made.code, GetParam().code) << made.body;
  EXPECT_EQ(made.At("spec", "clusterIP"), GetParam().ip);
  EXPECT_EQ(made.message(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    All, AddressTest,
    testing::ValuesIn<AddressCase>({
        {"Wanted", R"(,"clusterIP":"10.100.1.2")", 201, "10.100.1.2", ""},
        {"Headless", R"(,"clusterIP":"None")", 201, "None", ""},
        {"External", R"(,"type":"ExternalName","externalName":"example.com")", 201, "", ""},
        {"Outside", R"(,"clusterIP":"1.2.3.4")", 422, "",
         R"(Service "a" is invalid: spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to )"
         "allocate IP 1.2.3.4: the provided network does not match the current range"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ServiceAddressesTest, NodePortsAreAllocatedAndKept) {
  WriterFixture server;
  const TestAnswer made = server.Post(kServices, Service("a", R"(,"type":"NodePort")"));
  ASSERT_EQ(made.code, 201) << made.body;
  const auto port = [](const TestAnswer& answer) {
    return answer.document->root()
        .Find("spec")
        ->Find("ports")
        ->items()[0]
        .Find("nodePort")
        ->AsInt();
  };
  EXPECT_GE(port(made), 30000);
  EXPECT_LE(port(made), 32767);
  const TestAnswer changed = server.Put(std::string(kServices) + "/a",
                                        Service("a", R"(,"type":"NodePort","selector":{"a":"b"})"));
  ASSERT_EQ(changed.code, 200) << changed.body;
  EXPECT_EQ(port(changed), port(made));
  const TestAnswer taken = server.Post(
      kServices,
      Service("b", R"(,"type":"NodePort")", ",\"nodePort\":" + std::to_string(port(made))));
  EXPECT_EQ(taken.message(), "Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: " +
                                 std::to_string(port(made)) +
                                 ": provided port is already allocated");
}

}  // namespace
}  // namespace plimsoll::apiserver
