// Reads the bytes of a store's files: snapshot, write-ahead log, keys and records of the database.
// The reader rejects each, or it is the same after it was written and read again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "cost_bound.h"
#include "store/rocks_format.h"
#include "store/snapshot_format.h"
#include "store/wal_tail.h"

namespace {

namespace store = plimsoll::store;

void CheckSnapshot(std::string_view text) {
  const auto snapshot = store::ReadSnapshot(text);
  if (!snapshot) {
    PL_ASSERT(!snapshot.error().message.empty());
    return;
  }
  store::SnapshotWriter writer;
  for (const auto& [key, value] : snapshot->entries) writer.Add(key, value);
  const std::string again = writer.Finish(snapshot->at);
  const auto reread = store::ReadSnapshot(again);
  PL_ASSERT(reread.has_value());
  PL_ASSERT(reread->entries == snapshot->entries && reread->at == snapshot->at);
}

void CheckWal(std::string_view bytes) {
  const store::WalTail tail = store::InspectWal(bytes);
  PL_ASSERT(tail.good_bytes <= bytes.size());
  // The log is whole up to the record that is wrong.
  if (tail.kind == store::WalTail::Kind::Torn) {
    PL_ASSERT(store::InspectWal(bytes.substr(0, tail.good_bytes)).kind ==
              store::WalTail::Kind::Whole);
  }
}

void CheckRecords(std::string_view text) {
  if (const auto revision = store::ParseRevisionKey(text)) {
    PL_ASSERT(store::RevisionKey(*revision).text() == text);
  }
  if (const auto logged = store::ParseLogged(text)) {
    std::string again;
    store::EncodeLogged(*logged, again);
    PL_ASSERT(again == text);
  }
  if (const auto number = store::ParseMetaNumber(text)) PL_ASSERT(*number >= 0);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const plimsoll::fuzz::CostBound bound(size);
  CheckSnapshot(text);
  CheckWal(text);
  CheckRecords(text);
  return 0;
}
