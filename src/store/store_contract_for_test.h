#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/virtual_clock.h"
#include "store/store.h"

namespace plimsoll::store {

/// An empty store for one contract test.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual Store& store() = 0;
  /// Clock of the store.
  virtual VirtualClock& clock() = 0;
};

/// A store implementation. Each one needs a row in EveryStoreKind, and must pass all tests of
/// store_contract_test.cc and store_property_test.cc.
struct StoreKind {
  std::string name;
  std::unique_ptr<StoreUnderTest> (*make)(HistoryBounds bounds);
  /// Returns why it cannot run here, such as a program that is not installed, or "" if it can.
  std::string (*missing)() = [] { return std::string(); };
};

std::unique_ptr<StoreUnderTest> MakeMemoryStoreUnderTest(HistoryBounds bounds);
std::unique_ptr<StoreUnderTest> MakeRocksStoreUnderTest(HistoryBounds bounds);
std::unique_ptr<StoreUnderTest> MakeEtcdStoreUnderTest(HistoryBounds bounds);
std::unique_ptr<StoreUnderTest> MakeEtcdOfThreeUnderTest(HistoryBounds bounds);
std::string EtcdMissing();

/// Returns the stores in this process, where one thread makes all changes.
inline std::vector<StoreKind> LocalStoreKinds() {
  return {{"Memory", MakeMemoryStoreUnderTest}, {"Rocks", MakeRocksStoreUnderTest}};
}
/// Returns each implementation once.
inline std::vector<StoreKind> EveryStoreKind() {
  std::vector<StoreKind> kinds = LocalStoreKinds();
  kinds.push_back({"Etcd", MakeEtcdStoreUnderTest, EtcdMissing});
  return kinds;
}

}  // namespace plimsoll::store
