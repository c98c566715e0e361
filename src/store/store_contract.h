#pragma once

#include <memory>
#include <string>

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

/// A way to keep things. Whoever adds one gives it a row here and at the end of
/// store_contract_test.cc, and has to do all that is written there.
struct StoreKind {
  std::string name;
  std::unique_ptr<StoreUnderTest> (*make)(HistoryBounds bounds);
};

std::unique_ptr<StoreUnderTest> MakeMemoryStoreUnderTest(HistoryBounds bounds);
std::unique_ptr<StoreUnderTest> MakeRocksStoreUnderTest(HistoryBounds bounds);

}  // namespace plimsoll::store
