#include "apiserver/strategy/shared_reservations.h"

#include <gtest/gtest.h>

#include "apiserver/limits.h"
#include "apiserver/strategy/service_addresses.h"
#include "apiserver/write/writer_for_test.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::minutes;

TEST(SharedReservationsTest, OneServerHoldsAValueUntilItLetsGo) {
  CacheFixture fixture;
  SharedReservations one(fixture.store(), fixture.cache(), fixture.clock());
  SharedReservations other(fixture.store(), fixture.cache(), fixture.clock());
  auto held = one.Reserve("10.96.0.10");
  ASSERT_TRUE(held.has_value() && held->has_value());
  auto second = other.Reserve("10.96.0.10");
  ASSERT_TRUE(second.has_value());
  EXPECT_FALSE(second->has_value());
  EXPECT_TRUE(other.Reserve("10.96.0.11")->has_value());
  held->reset();
  EXPECT_TRUE(other.Reserve("10.96.0.10")->has_value());
}

TEST(SharedReservationsTest, WhatADeadServerHeldIsFreeAfterAWhile) {
  CacheFixture fixture;
  SharedReservations mine(fixture.store(), fixture.cache(), fixture.clock());
  fixture.Commit("/registry/plimsoll.io/reserved/10.96.0.10",
                 MakeBytes(FormatTime(fixture.clock().Now())));
  fixture.clock().Advance(kReservationAgeMax - std::chrono::seconds(1));
  EXPECT_FALSE(mine.Reserve("10.96.0.10")->has_value());
  fixture.clock().Advance(std::chrono::seconds(1));
  auto held = mine.Reserve("10.96.0.10");
  ASSERT_TRUE(held.has_value() && held->has_value());
  // The reservation is no longer expired.
  EXPECT_FALSE(mine.Reserve("10.96.0.10")->has_value());
}

/// Two servers with one store.
struct TwoServers : CacheFixture {
  SharedReservations first_shared{store(), cache(), clock()};
  SharedReservations second_shared{store(), cache(), clock()};
  ServiceAddresses first{cache(), Of("services"), 1, &first_shared};
  ServiceAddresses second{cache(), Of("services"), 1, &second_shared};
};

TEST(SharedReservationsTest, TwoServersDoNotGiveAwayTheSameAddressOrPort) {
  TwoServers servers;
  // The same seed yields the same first address.
  const auto one = servers.first.AllocateAddress(false);
  const auto other = servers.second.AllocateAddress(false);
  ASSERT_TRUE(one.has_value() && other.has_value());
  EXPECT_NE(one->ip, other->ip);
  const auto port = servers.first.AllocatePort(false);
  const auto other_port = servers.second.AllocatePort(false);
  ASSERT_TRUE(port.has_value() && other_port.has_value());
  EXPECT_NE(port->port, other_port->port);
  EXPECT_FALSE(servers.second.ReserveAddress(one->ip, false)->has_value());
  EXPECT_FALSE(servers.second.ReservePort(port->port, false)->has_value());
}

TEST(SharedReservationsTest, ADryRunWritesNothing) {
  TwoServers servers;
  const store::Revision before = servers.store().latest();
  EXPECT_TRUE(servers.first.AllocateAddress(true).has_value());
  EXPECT_TRUE(servers.first.ReserveAddress("10.96.0.10", true)->has_value());
  EXPECT_EQ(servers.store().latest(), before);
}

TEST(SharedReservationsTest, WhatAServiceGotBehindOurBackIsTaken) {
  TwoServers servers;
  servers.Put(servers.Of("services"), "default", "a", R"(,"spec":{"clusterIP":"10.96.0.10"})");
  EXPECT_FALSE(servers.first.ReserveAddress("10.96.0.10", false)->has_value());
}

}  // namespace
}  // namespace plimsoll::apiserver
