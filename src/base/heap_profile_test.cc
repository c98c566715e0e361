#include "base/heap_profile.h"

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

TEST(HeapProfileTest, ADumpOfTheAllocatorBecomesAProfileForPprof) {
  EXPECT_EQ(ConvertHeapDump("heap_v2/524288\n"
                            "  t*: 15: 7000 [0: 0]\n"
                            "  t0: 15: 7000 [0: 0]\n"
                            "@ 0x10 0x20\n"
                            "  t*: 13: 6688 [0: 0]\n"
                            "  t3: 13: 6688 [0: 0]\n"
                            "@ 0x30\n"
                            "  t*: 2: 312 [0: 0]\n"
                            "\nMAPPED_LIBRARIES:\n"
                            "00400000-00401000 r-xp 00000000 00:00 1 /bin/t*: 1\n"),
            "heap profile: 15: 7000 [0: 0] @ heap_v2/524288\n"
            "13: 6688 [0: 0] @ 0x10 0x20\n"
            "2: 312 [0: 0] @ 0x30\n"
            "\nMAPPED_LIBRARIES:\n"
            "00400000-00401000 r-xp 00000000 00:00 1 /bin/t*: 1\n");
}

TEST(HeapProfileTest, CannotBeTakenWithoutASamplingAllocator) {
  // Tests are not linked with jemalloc.
  const Result<std::string> profile = TakeHeapProfile();
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().reason, Reason::ServiceUnavailable);
}

}  // namespace
}  // namespace plimsoll
