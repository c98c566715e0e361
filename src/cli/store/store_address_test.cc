#include "cli/store/store_address.h"

#include <gtest/gtest.h>

#include "base/virtual_clock.h"

namespace plimsoll::cli {
namespace {

TEST(StoreAddressTest, RefusesWhatIsNoAddress) {
  VirtualClock clock;
  MemorySink sink;
  Logger log(clock, sink);
  for (const char* address : {"", "data", "mysql:host", "etcd:", "etcd:http://a"}) {
    const auto store = OpenStoreAt(address, OpenMode::Existing, {}, clock, log);
    ASSERT_FALSE(store.has_value()) << address;
    EXPECT_EQ(store.error().reason, Reason::Invalid) << address;
  }
}

}  // namespace
}  // namespace plimsoll::cli
