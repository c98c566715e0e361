#include "codec/yaml_timestamp.h"

#include <gtest/gtest.h>

#include <string_view>

namespace plimsoll::codec {
namespace {

TEST(IsYamlTimestampTest, TakesDatesAndTimes) {
  for (const std::string_view text :
       {"2024-01-02", "2024-1-2", "0000-12-31", "2000-02-29", "2024-01-02T03:04:05Z",
        "2024-01-02t3:4:5+01:30", "2024-01-02T03:04:05.123456789123-24:60", "2024-01-02 03:04:05",
        "2024-01-02 03:04:05.5", "2024-01-02 23:59:59,5"}) {
    EXPECT_TRUE(IsYamlTimestamp(text)) << text;
  }
}

TEST(IsYamlTimestampTest, RefusesWhatIsNone) {
  for (const std::string_view text : {"",
                                      "2024",
                                      "2024-",
                                      "2024-1",
                                      "202-01-02",
                                      "20240-01-02",
                                      "2024-00-01",
                                      "2024-13-01",
                                      "2024-01-00",
                                      "2024-01-32",
                                      "2023-02-29",
                                      "1900-02-29",
                                      "2024-04-31",
                                      "2024-01-023",
                                      "2024-01-02T",
                                      "2024-01-02T03:04:05",
                                      "2024-01-02T03:04Z",
                                      "2024-01-02T24:00:00Z",
                                      "2024-01-02T00:60:00Z",
                                      "2024-01-02T00:00:60Z",
                                      "2024-01-02T03:04:05.Z",
                                      "2024-01-02T03:04:05+25:00",
                                      "2024-01-02T03:04:05+00:61",
                                      "2024-01-02T03:04:05+1:00",
                                      "2024-01-02 03:04:05Z",
                                      "2024-01-02  03:04:05",
                                      "2024-01-02x"}) {
    EXPECT_FALSE(IsYamlTimestamp(text)) << text;
  }
}

}  // namespace
}  // namespace plimsoll::codec
