#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/virtual_clock.h"
#include "store/store.h"

namespace plimsoll::store {

/// An empty store that the contract test may use up.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual Store& store() = 0;
  /// Whose time the store goes by.
  virtual VirtualClock& clock() = 0;
};

/// A way to keep things. Whoever adds one gives it a row in EveryStoreKind, and has to do all that
/// is written in store_contract_test.cc and store_property_test.cc.
struct StoreKind {
  std::string name;
  std::unique_ptr<StoreUnderTest> (*make)(HistoryBounds bounds);
  /// Why there can be none here, such as a program that is not installed; empty when there can.
  std::string (*missing)() = [] { return std::string(); };
};

std::unique_ptr<StoreUnderTest> MakeMemoryStoreUnderTest(HistoryBounds bounds);
std::unique_ptr<StoreUnderTest> MakeRocksStoreUnderTest(HistoryBounds bounds);
std::unique_ptr<StoreUnderTest> MakeEtcdStoreUnderTest(HistoryBounds bounds);
std::unique_ptr<StoreUnderTest> MakeEtcdOfThreeUnderTest(HistoryBounds bounds);
std::string EtcdMissing();

/// Those that are in this process, with one thread that makes all changes.
inline std::vector<StoreKind> LocalStoreKinds() {
  return {{"Memory", MakeMemoryStoreUnderTest}, {"Rocks", MakeRocksStoreUnderTest}};
}
/// Each implementation once.
inline std::vector<StoreKind> EveryStoreKind() {
  std::vector<StoreKind> kinds = LocalStoreKinds();
  kinds.push_back({"Etcd", MakeEtcdStoreUnderTest, EtcdMissing});
  return kinds;
}

}  // namespace plimsoll::store
