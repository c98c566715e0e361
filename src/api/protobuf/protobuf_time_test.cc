#include "api/protobuf/protobuf_time.h"

#include <gtest/gtest.h>

#include "api/protobuf/encode_for_test.h"

namespace plimsoll::api {
namespace {

struct TimeCase {
  std::string name;
  std::int64_t seconds = 0;
  std::int64_t nanos = 0;
  std::string time;
  std::string micro_time;
};

class ProtobufTimeTest : public testing::TestWithParam<TimeCase> {};

TEST_P(ProtobufTimeTest, IsWrittenAsGoWritesIt) {
  const TimeCase& test = GetParam();
  const std::string message = EncodeNumber(1, test.seconds) + EncodeNumber(2, test.nanos);
  EXPECT_EQ(ReadProtobufTime(message, false).value(), test.time);
  EXPECT_EQ(ReadProtobufTime(message, true).value(), test.micro_time);
}

INSTANTIATE_TEST_SUITE_P(
    All, ProtobufTimeTest,
    testing::ValuesIn<TimeCase>({
        {"Epoch", 0, 0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000000Z"},
        {"NanosAreCut", 1, 123456789, "1970-01-01T00:00:01Z", "1970-01-01T00:00:01.123456Z"},
        {"NegativeNanos", 1, -1500, "1970-01-01T00:00:01Z", "1970-01-01T00:00:00.999999Z"},
        {"MoreThanASecond", 1, 2000001000, "1970-01-01T00:00:01Z", "1970-01-01T00:00:03.000001Z"},
        {"BeforeTheEpoch", -1, 0, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.000000Z"},
        {"BeyondAnInstant", 253402300799, 0, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000000Z"},
        {"TheYearZero", -62167219200, 0, "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000000Z"},
        {"GosZero", -62135596800, 0, "", ""},
    }),
    [](const auto& test) { return test.param.name; });

TEST(ReadProtobufTimeTest, HasNoYearsBeyondFourDigits) {
  EXPECT_FALSE(ReadProtobufTime(EncodeNumber(1, 253402300800), false).has_value());
  EXPECT_FALSE(ReadProtobufTime(EncodeNumber(1, -62167219201), true).has_value());
  EXPECT_FALSE(ReadProtobufTime(EncodeNumber(1, INT64_MAX), true).has_value());
}

}  // namespace
}  // namespace plimsoll::api
