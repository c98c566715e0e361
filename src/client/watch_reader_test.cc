#include "client/watch_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "client/fake_server_for_test.h"
#include "client/limits.h"

namespace plimsoll::client {
namespace {

class CountingSink final : public WatchSink {
 public:
  bool OnEvent(api::WatchEvent) override {
    ++count;
    return true;
  }
  int count = 0;
};

TEST(WatchReaderTest, JoinsTheParts) {
  CountingSink sink;
  WatchReader reader(sink, Pods());
  const std::string line = EventLine("ADDED", PodJson("a", 1));
  EXPECT_TRUE(reader.OnHead(200, {}));
  EXPECT_TRUE(reader.OnPiece({MakeBytes(line + line.substr(0, 9))}));
  EXPECT_EQ(sink.count, 1);
  EXPECT_TRUE(reader.OnPiece({MakeBytes(line.substr(9))}));
  EXPECT_EQ(sink.count, 2);
  EXPECT_FALSE(reader.Finish().has_value());
}

TEST(WatchReaderTest, ALineThatIsTooLongEndsTheWatch) {
  CountingSink sink;
  WatchReader reader(sink, Pods());
  EXPECT_TRUE(reader.OnHead(200, {}));
  EXPECT_TRUE(reader.OnPiece({MakeBytes(std::string(kWatchLineBytesMax, ' '))}));
  EXPECT_FALSE(reader.OnPiece({MakeBytes(" ")}));
  EXPECT_EQ(reader.Finish()->code, 500);
}

TEST(WatchReaderTest, AnErrorThatIsTooLongIsNotReadToItsEnd) {
  CountingSink sink;
  WatchReader reader(sink, Pods());
  EXPECT_TRUE(reader.OnHead(503, {}));
  EXPECT_TRUE(reader.OnPiece({MakeBytes("busy")}));
  EXPECT_FALSE(reader.OnPiece({MakeBytes(std::string(kWatchLineBytesMax, ' '))}));
  EXPECT_EQ(reader.Finish()->code, 503);
}

}  // namespace
}  // namespace plimsoll::client
