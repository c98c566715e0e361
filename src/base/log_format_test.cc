#include "base/log_format.h"

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

// 2023-11-15T06:49:09.123456Z
constexpr Instant kTime{microseconds(1'700'030'949'123'456)};

LogRecord Record(std::span<const LogField> fields = {}) {
  return {.time = kTime,
          .process = 123,
          .file = "/build/src/scheduler/cycle.cc",
          .line = 42,
          .message = "Bound \"it\"",
          .fields = fields};
}

/// Expected value of a field in the text format and in the JSON format.
struct ValueCase {
  std::string name;
  LogValue value;
  std::string text;
  std::string json;
};

class LogValueTest : public testing::TestWithParam<ValueCase> {};

TEST_P(LogValueTest, IsWrittenAsKubernetesDoes) {
  const ValueCase& test = GetParam();
  const std::vector<LogField> fields{{"key", test.value}};
  EXPECT_EQ(
      FormatLogText(Record(fields)),
      "I1115 06:49:09.123456     123 cycle.cc:42] \"Bound \\\"it\\\"\" key" + test.text + "\n");
  EXPECT_EQ(FormatLogJson(Record(fields)),
            "{\"ts\":1700030949123.456,\"caller\":\"scheduler/cycle.cc:42\","
            "\"msg\":\"Bound \\\"it\\\"\",\"v\":0,\"key\":" +
                test.json + "}\n");
}

const std::vector<std::string>& Names() {
  static const std::vector<std::string> names{"a", "b \"c\""};
  return names;
}

INSTANTIATE_TEST_SUITE_P(
    All, LogValueTest,
    testing::ValuesIn<ValueCase>({
        {"Text", "plain", "=\"plain\"", "\"plain\""},
        {"Empty", "", "=\"\"", "\"\""},
        {"Quotes", "a \"b\"\t\x01", R"(="a \"b\"\t\x01")", R"("a \"b\"\t\u0001")"},
        {"Unicode", "größe", "=\"größe\"", "\"größe\""},
        {"Lines", "one\ntwo", "=<\n\tone\n\ttwo\n >", R"("one\ntwo")"},
        {"LinesEnded", "one\ntwo\n", "=<\n\tone\n\ttwo\n >", R"("one\ntwo\n")"},
        {"EmptyLine", "\n\nx", "=<\n\t\n\t\n\tx\n >", R"("\n\nx")"},
        {"True", true, "=true", "true"},
        {"Negative", -3, "=-3", "-3"},
        {"Largest", std::numeric_limits<std::uint64_t>::max(), "=18446744073709551615",
         "18446744073709551615"},
        {"Character", std::uint8_t{65}, "=65", "65"},
        {"Float", 0.1, "=0.1", "0.1"},
        {"BigFloat", 1e21, "=1e+21", "1e+21"},
        {"Infinity", -HUGE_VAL, "=\"-Inf\"", "\"-Inf\""},
        {"Duration", milliseconds(1500), "=\"1.5s\"", "\"1.5s\""},
        {"Time", kTime, "=\"2023-11-15T06:49:09.123456Z\"", "1700030949123.456"},
        {"Object", ObjectName{"default", "web"}, "=\"default/web\"",
         R"({"name":"web","namespace":"default"})"},
        {"ClusterObject", ObjectName{"", "node-1"}, "=\"node-1\"", R"({"name":"node-1"})"},
        {"List", Names(), R"(=["a","b \"c\""])", R"(["a","b \"c\""])"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(LogFormatTest, AnErrorComesFirstInTextAndLastInJson) {
  const Error error{Reason::Conflict, "spec", "changed"};
  const std::vector<LogField> fields{{"pod", "web"}};
  LogRecord record = Record(fields);
  record.severity = LogSeverity::Error;
  record.error = &error;
  EXPECT_EQ(FormatLogText(record),
            "E1115 06:49:09.123456     123 cycle.cc:42] \"Bound \\\"it\\\"\" "
            "err=\"spec: changed\" pod=\"web\"\n");
  EXPECT_EQ(FormatLogJson(record),
            "{\"ts\":1700030949123.456,\"caller\":\"scheduler/cycle.cc:42\","
            "\"msg\":\"Bound \\\"it\\\"\",\"pod\":\"web\",\"err\":\"spec: changed\"}\n");
}

TEST(LogFormatTest, SaysVerbosityInJsonOnly) {
  LogRecord record = Record();
  record.verbosity = 4;
  record.severity = LogSeverity::Warning;
  EXPECT_EQ(FormatLogText(record),
            "W1115 06:49:09.123456     123 cycle.cc:42] \"Bound \\\"it\\\"\"\n");
  EXPECT_TRUE(FormatLogJson(record).ends_with(",\"v\":4}\n"));
}

TEST(LogFormatTest, TakesPathsOfAnyDepth) {
  LogRecord record = Record();
  for (const auto& [path, text, json] : std::vector<std::array<std::string, 3>>{
           {"a.cc", "a.cc:42", "a.cc:42"},
           {"/a.cc", "a.cc:42", "a.cc:42"},
           {"x/a.cc", "a.cc:42", "x/a.cc:42"},
           {"y/x/a.cc", "a.cc:42", "x/a.cc:42"},
       }) {
    record.file = path;
    EXPECT_TRUE(FormatLogText(record).contains(" " + text + "] ")) << FormatLogText(record);
    EXPECT_TRUE(FormatLogJson(record).contains("\"" + json + "\"")) << FormatLogJson(record);
  }
}

}  // namespace
}  // namespace plimsoll
