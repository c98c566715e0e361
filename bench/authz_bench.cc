// Measures one authorization decision in a cluster with the default roles and a thousand tenants.
// Also measures the privilege escalation check for expensive roles.

#include <benchmark/benchmark.h>

#include "apiserver/authz/rbac_for_test.h"
#include "apiserver/authz/snapshot_cell.h"
#include "apiserver/authz/uncovered_rules.h"

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

std::vector<std::string> Numbered(char prefix, std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(prefix + std::to_string(i));
  return texts;
}

/// Returns the rules of the cluster role `admin`.
PolicyRules HeldByAdmin() {
  RbacPolicyBuilder builder;
  PutDefaults(builder);
  return builder.Build()
      ->RulesOf({.group = "", .kind = "ClusterRole", .name = "admin"}, "")
      .value();
}

/// One rule of 24 KB: its three lists must not be multiplied.
void BM_EscalationOneLargeRule(benchmark::State& state) {
  const PolicyRules held = HeldByAdmin();
  const PolicyRules wanted = {
      {Numbered('v', 1000), Numbered('g', 1000), Numbered('r', 1000), {}, {}}};
  for (auto _ : state) benchmark::DoNotOptimize(FindUncovered(held, wanted));
}
BENCHMARK(BM_EscalationOneLargeRule);

/// 24 KB of small rules, each of them held by the user.
void BM_EscalationManySmallRules(benchmark::State& state) {
  const PolicyRules held = HeldByAdmin();
  PolicyRules wanted;
  for (std::size_t i = 0; i < 400; ++i) {
    wanted.push_back({{"get", "list"}, {""}, {"pods", "services"}, {"n" + std::to_string(i)}, {}});
  }
  for (auto _ : state) benchmark::DoNotOptimize(FindUncovered(held, wanted));
}
BENCHMARK(BM_EscalationManySmallRules);

/// A role that grants all rights of its author.
void BM_EscalationOwnRights(benchmark::State& state) {
  const PolicyRules held = HeldByAdmin();
  for (auto _ : state) benchmark::DoNotOptimize(FindUncovered(held, held));
}
BENCHMARK(BM_EscalationOwnRights);

}  // namespace
}  // namespace plimsoll::apiserver

BENCHMARK_MAIN();
