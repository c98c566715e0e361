#include "controller/node_taint_rule/metric_values.h"

#include <gtest/gtest.h>

namespace plimsoll::controller {
namespace {

std::string Vector(std::string_view series) {
  return R"({"status":"success","data":{"resultType":"vector","result":[)" + std::string(series) +
         "]}}";
}
std::string Series(std::string_view node, std::string_view value) {
  return R"({"metric":{"__name__":"m","node":")" + std::string(node) + R"("},"value":[1.5,")" +
         std::string(value) + R"("]})";
}

/// Returns `node=value` texts and the number of unusable series, or the error.
std::string Shown(const std::string& body) {
  const auto values = ParseMetricValues(body, "node");
  if (!values) return values.error().message;
  std::string text;
  for (const auto& [node, value] : values->by_node) {
    text += node + "=" + std::to_string(value) + " ";
  }
  return text + std::to_string(values->unusable);
}

struct AnswerCase {
  std::string name;
  std::string body;
  std::string want;
};

class MetricValuesTest : public testing::TestWithParam<AnswerCase> {};

TEST_P(MetricValuesTest, Reads) { EXPECT_EQ(Shown(GetParam().body), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    All, MetricValuesTest,
    testing::ValuesIn(std::vector<AnswerCase>{
        {"Two", Vector(Series("a", "1.5") + "," + Series("b", "-2e3")),
         "a=1.500000 b=-2000.000000 0"},
        {"Empty", Vector(""), "0"},
        {"NotFinite",
         Vector(Series("a", "NaN") + "," + Series("b", "+Inf") + "," + Series("c", "-Inf")), "3"},
        {"NotANumber", Vector(Series("a", "1x") + "," + Series("b", "")), "2"},
        {"Repeated", Vector(Series("a", "1") + "," + Series("a", "2") + "," + Series("a", "1")),
         "2"},
        {"WithoutLabel", Vector(R"({"metric":{},"value":[1,"1"]})"), "1"},
        {"WithoutValue", Vector(R"({"metric":{"node":"a"}})"), "1"},
        {"Histogram", Vector(R"({"metric":{"node":"a"},"histogram":[1,{}]})"), "1"},
        {"ValueIsNoText", Vector(R"({"metric":{"node":"a"},"value":[1,1]})"), "1"},
        {"LabelIsNoText", Vector(R"({"metric":{"node":1},"value":[1,"1"]})"), "1"},
        {"SeriesIsNoObject", Vector("1,null"), "2"},
        {"Matrix", R"({"status":"success","data":{"resultType":"matrix","result":[]}})",
         "the query must yield an instant vector, not a matrix"},
        {"NoResult", R"({"status":"success","data":{"resultType":"vector"}})",
         "the response has no list of series"},
        {"Error", R"({"status":"error","errorType":"bad_data","error":"parse error"})",
         "Prometheus rejects the query: parse error"},
        {"SomethingElse", R"({"kind":"Pod"})", "the response is none of Prometheus"},
        {"NoObject", "[]", "the response is none of Prometheus"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(MetricValuesTest, AResponseThatIsNoJsonFails) {
  EXPECT_EQ(ParseMetricValues("<html>", "node").error().reason, Reason::BadRequest);
}

TEST(MetricValuesTest, TooManySeriesFail) {
  std::string series = "1";
  for (std::size_t i = 0; i < kSeriesMax; ++i) series += ",1";
  EXPECT_EQ(Shown(Vector(series)), "the query yields 100001 series; at most 100000 are read");
}

}  // namespace
}  // namespace plimsoll::controller
