#include "agent/requests.h"

#include <gtest/gtest.h>

#include "api/object.h"
#include "codec/yaml.h"

namespace plimsoll::agent {
namespace {

struct RequestCase {
  std::string name;
  std::string spec;
  std::int64_t milli_cpu;
  std::int64_t memory;
};

class RequestsTest : public testing::TestWithParam<RequestCase> {};

TEST_P(RequestsTest, AddsUpAsTheNodeCountsThem) {
  auto documents = codec::ParseYaml(
      "{apiVersion: v1, kind: Pod, metadata: {name: p}, spec: " + GetParam().spec + "}");
  ASSERT_TRUE(documents.has_value());
  const auto pod = api::DecodeObject(std::shared_ptr(std::move(documents->front())));
  ASSERT_TRUE(pod.has_value());
  Interner names;
  const Amounts amounts = RequestsOf(pod->object->As<api::Pod>()->spec, names);
  EXPECT_EQ(amounts.Of(names.Acquire("cpu").id), GetParam().milli_cpu);
  EXPECT_EQ(amounts.Of(names.Acquire("memory").id), GetParam().memory);
}

INSTANTIATE_TEST_SUITE_P(
    All, RequestsTest,
    testing::ValuesIn(std::vector<RequestCase>{
        {"None", "{containers: [{name: a}]}", 0, 0},
        {"Sum",
         "{containers: [{name: a, resources: {requests: {cpu: 100m, memory: 10}}},"
         "{name: b, resources: {requests: {cpu: '1'}}}]}",
         1100, 10},
        {"AnInitContainerThatNeedsMore",
         "{containers: [{name: a, resources: {requests: {cpu: 100m, memory: 10}}}],"
         "initContainers: [{name: i, resources: {requests: {cpu: '2', memory: 5}}}]}",
         2000, 10},
        {"SidecarsCountWithBoth",
         "{containers: [{name: a, resources: {requests: {cpu: 100m}}}],"
         "initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: 50m}}},"
         "{name: i, resources: {requests: {cpu: 80m}}}]}",
         150, 0},
        {"SidecarsOfOtherResourcesThanTheInitContainer",
         "{containers: [{name: a, resources: {requests: {cpu: 100m}}}],"
         "initContainers: [{name: s, restartPolicy: Always, resources: {requests: {memory: 7}}},"
         "{name: i, resources: {requests: {cpu: 80m}}}]}",
         100, 7},
        {"ASidecarThatStartsLaterRunsBesideNoEarlierOne",
         "{containers: [{name: a, resources: {requests: {cpu: 100m}}}],"
         "initContainers: [{name: i, resources: {requests: {cpu: 80m, memory: 9}}},"
         "{name: s, restartPolicy: Always, resources: {requests: {cpu: 50m, memory: 7}}}]}",
         150, 9},
        {"ThePodAsAWhole",
         "{containers: [{name: a, resources: {requests: {cpu: 100m, memory: 10}}}],"
         "resources: {requests: {cpu: 3}}}",
         3000, 10},
        {"Overhead",
         "{containers: [{name: a, resources: {requests: {cpu: 100m}}}], overhead: {cpu: 7m}}", 107,
         0},
    }),
    [](const auto& test) { return test.param.name; });

TEST(AmountsTest, TakesBackWhatItAdded) {
  Interner names;
  Amounts amounts;
  amounts.Set(names.Acquire("b").id, 2);
  Amounts more;
  more.Set(names.Acquire("a").id, 1);
  more.Set(names.Acquire("b").id, 5);
  amounts.Add(more);
  EXPECT_EQ(amounts.Of(names.Find("b")), 7);
  amounts.Subtract(more);
  EXPECT_EQ(amounts.Of(names.Find("b")), 2);
  EXPECT_EQ(amounts.Of(names.Find("a")), 0);
  amounts.RaiseTo(more);
  EXPECT_EQ(amounts.Of(names.Find("b")), 5);
}

}  // namespace
}  // namespace plimsoll::agent
