#include "api/protobuf/wire.h"

#include <gtest/gtest.h>

#include <string>

#include "api/protobuf/encode_for_test.h"

namespace plimsoll::api {
namespace {

TEST(WireReaderTest, ReadsWhatWasWritten) {
  for (const std::int64_t number : {INT64_MIN, INT64_C(-1), INT64_C(0), INT64_C(300), INT64_MAX}) {
    const std::string message = EncodeNumber(5, number) + EncodeBytes(536870911, "text");
    WireReader reader(message);
    const WireField first = reader.Next().value();
    EXPECT_EQ(first.tag, 5u);
    EXPECT_EQ(first.type, WireType::Varint);
    EXPECT_EQ(static_cast<std::int64_t>(first.varint), number);
    const WireField second = reader.Next().value();
    EXPECT_EQ(second.tag, 536870911u);
    EXPECT_EQ(second.bytes, "text");
    EXPECT_TRUE(reader.at_end());
  }
}

TEST(WireReaderTest, FailsOnEveryCutMessage) {
  const std::string message = EncodeBytes(1, EncodeBytes(2, "text"));
  for (std::size_t size = 1; size < message.size(); ++size) {
    WireReader reader(std::string_view(message).substr(0, size));
    EXPECT_EQ(reader.Next().error().message, "unexpected EOF");
  }
}

TEST(WireReaderTest, TakesAGroupAsOneField) {
  const std::string message = "\x0B\x13\x08\x01\x14\x0C" + EncodeNumber(7, 1);
  WireReader reader(message);
  EXPECT_EQ(reader.Next().value().type, WireType::StartGroup);
  EXPECT_EQ(reader.Next().value().tag, 7u);
}

}  // namespace
}  // namespace plimsoll::api
