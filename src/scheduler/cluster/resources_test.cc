#include "scheduler/cluster/resources.h"

#include <gtest/gtest.h>

#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::int64_t kMi = std::int64_t{1024} * 1024;

struct RequestCase {
  std::string_view name;
  std::string_view spec;
  std::int64_t milli_cpu;
  std::int64_t memory;
  std::int64_t scored_milli_cpu;
  std::int64_t scored_memory;
};

class ComputeRequestsTest : public testing::TestWithParam<RequestCase> {};

TEST_P(ComputeRequestsTest, AddsUp) {
  Interner names;
  const ObjectPtr pod = PodFromYaml("p", GetParam().spec);
  const PodRequests requests = ComputeRequests(ClassView::Of(*pod->As<api::Pod>()), names);
  EXPECT_EQ(requests.exact.milli_cpu, GetParam().milli_cpu);
  EXPECT_EQ(requests.exact.memory, GetParam().memory);
  EXPECT_EQ(requests.scored_milli_cpu, GetParam().scored_milli_cpu);
  EXPECT_EQ(requests.scored_memory, GetParam().scored_memory);
}

INSTANTIATE_TEST_SUITE_P(
    All, ComputeRequestsTest,
    testing::Values(
        RequestCase{"nothing asked", "{containers: [{name: a}]}", 0, 0, 100, 200 * kMi},
        RequestCase{"zero is asked, so nothing stands in",
                    "{containers: [{name: a, resources: {requests: {cpu: '0', memory: '0'}}}]}", 0,
                    0, 0, 0},
        RequestCase{"containers add up",
                    "{containers: [{name: a, resources: {requests: {cpu: 300m, memory: 10Mi}}}, "
                    "{name: b, resources: {requests: {cpu: '1'}}}]}",
                    1300, 10 * kMi, 1300, 210 * kMi},
        RequestCase{"the largest init container counts when it is larger",
                    "{initContainers: [{name: i, resources: {requests: {cpu: '2'}}}, {name: j, "
                    "resources: {requests: {memory: 1Mi}}}], containers: [{name: a, resources: "
                    "{requests: {cpu: '1', memory: 2Mi}}}]}",
                    2000, 2 * kMi, 2000, 200 * kMi},
        RequestCase{"a sidecar runs beside what starts after it",
                    "{initContainers: [{name: s, restartPolicy: Always, resources: {requests: "
                    "{cpu: 500m, memory: 1Mi}}}, {name: i, resources: {requests: {cpu: '1', "
                    "memory: 1Mi}}}], containers: [{name: a, resources: {requests: {cpu: 100m, "
                    "memory: 1Mi}}}]}",
                    1500, 2 * kMi, 1500, 2 * kMi},
        RequestCase{"overhead comes on top",
                    "{overhead: {cpu: 250m, memory: 5Mi}, containers: [{name: a, resources: "
                    "{requests: {cpu: '1', memory: 1Mi}}}]}",
                    1250, 6 * kMi, 1250, 6 * kMi},
        RequestCase{"the pod as a whole",
                    "{resources: {requests: {cpu: '3', memory: 7Mi}}, containers: [{name: a, "
                    "resources: {requests: {cpu: '1', memory: 1Mi}}}]}",
                    3000, 7 * kMi, 3000, 7 * kMi}),
    [](const auto& test) {
      std::string name(test.param.name);
      std::ranges::replace_if(name, [](char c) { return c == ' ' || c == ','; }, '_');
      return name;
    });

TEST(ComputeRequestsTest, CountsScalarsThatHaveAName) {
  Interner names;
  const ObjectPtr pod = PodFromYaml(
      "p",
      "{containers: [{name: a, resources: {requests: {example.com/gpu: '2', hugepages-2Mi: 4Mi, "
      "odd: '1', ephemeral-storage: 1Gi}}}]}");
  const Resources exact = ComputeRequests(ClassView::Of(*pod->As<api::Pod>()), names).exact;
  EXPECT_EQ(exact.scalar(names.Find("example.com/gpu")), 2);
  EXPECT_EQ(exact.scalar(names.Find("hugepages-2Mi")), 4 * kMi);
  EXPECT_EQ(exact.scalars.size(), 2U);
  EXPECT_EQ(exact.ephemeral_storage, 1024 * kMi);
}

TEST(ReadAllocatableTest, TakesPodsApart) {
  Interner names;
  const ObjectPtr node =
      NodeFromYaml("n", "{allocatable: {cpu: 1500m, memory: 1Mi, pods: '7', a.b/c: '3'}}");
  const Allocatable read = ReadAllocatable(node->As<api::Node>()->status.allocatable, names);
  EXPECT_EQ(read.resources.milli_cpu, 1500);
  EXPECT_EQ(read.resources.memory, kMi);
  EXPECT_EQ(read.pods, 7);
  EXPECT_EQ(read.resources.scalar(names.Find("a.b/c")), 3);
  EXPECT_EQ(read.resources.scalars.size(), 1U);
}

}  // namespace
}  // namespace plimsoll::scheduler
