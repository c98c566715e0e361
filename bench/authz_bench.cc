// What one decision costs in a cluster with the default roles and a thousand tenants.

#include <benchmark/benchmark.h>

#include "apiserver/authz/rbac_for_test.h"
#include "apiserver/authz/snapshot_cell.h"

namespace plimsoll::apiserver {
namespace {

std::shared_ptr<const RbacPolicy> MakePolicy() {
  RbacPolicyBuilder builder;
  PutDefaults(builder);
  for (int i = 0; i < 1000; ++i) {
    const std::string number = std::to_string(i);
    builder.Put(BindingOf(R"({"metadata":{"name":"b","namespace":"team-)" + number +
                          R"("},"roleRef":{"kind":"ClusterRole","name":"edit"},)" +
                          R"("subjects":[{"kind":"Group","name":"team-)" + number + R"("}]})"));
  }
  return builder.Build();
}

void Decide(benchmark::State& state, const User& user, const RequestInfo& what) {
  const SnapshotCell<RbacPolicy> cell(MakePolicy());
  for (auto _ : state) benchmark::DoNotOptimize(cell.Read().Authorize(user, what));
}

void BM_Scheduler(benchmark::State& state) {
  Decide(state, UserNamed("system:kube-scheduler", {"system:authenticated"}),
         Request("create", "/pods/binding", "default", "p"));
}
BENCHMARK(BM_Scheduler);

void BM_Tenant(benchmark::State& state) {
  Decide(state, UserNamed("jane", {"devs", "team-500", "system:authenticated"}),
         Request("update", "apps/deployments", "team-500", "web"));
}
BENCHMARK(BM_Tenant);

void BM_Refused(benchmark::State& state) {
  Decide(state, UserNamed("jane", {"devs", "team-500", "system:authenticated"}),
         Request("update", "apps/deployments", "team-501", "web"));
}
BENCHMARK(BM_Refused);

void BM_ChangeOfOneBinding(benchmark::State& state) {
  RbacPolicyBuilder builder;
  PutDefaults(builder);
  for (int i = 0; i < 1000; ++i) {
    builder.Put(BindingOf(R"({"metadata":{"name":"b","namespace":"team-)" + std::to_string(i) +
                          R"("},"roleRef":{"kind":"ClusterRole","name":"edit"}})"));
  }
  builder.Build();
  const RoleBinding changed =
      BindingOf(R"({"metadata":{"name":"b","namespace":"team-7"},"roleRef":{"kind":"ClusterRole",)"
                R"("name":"view"}})");
  for (auto _ : state) {
    builder.Put(changed);
    benchmark::DoNotOptimize(builder.Build());
  }
}
BENCHMARK(BM_ChangeOfOneBinding);

}  // namespace
}  // namespace plimsoll::apiserver

BENCHMARK_MAIN();
