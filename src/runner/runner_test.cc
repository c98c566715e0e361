#include "runner/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "client/fake_server_for_test.h"

namespace plimsoll::runner {
namespace {

using testing::HasSubstr;

/// Binds each pod to n1 and reports the outcome. It cannot handle the pod `poison`. For the pod
/// `metrics` it queries a server that cannot exist.
class Binder : public api::PureCore {
 public:
  std::span<const api::WatchedKind> watched() const override { return kWatched; }
  void Observe(const api::CoreInput& input, const api::Turn& turn) override {
    if (const auto* const changed = std::get_if<api::ObjectChanged>(&input)) {
      pod_ = changed->new_object;
      if (pod_->metadata().name == "poison") throw std::length_error("vector");
      if (pod_->metadata().name == "metrics") {
        return turn.Do(api::QueryMetrics{.id = 6, .server = "ftp://x", .query = "q"});
      }
      turn.Do(api::BindPod{.id = 5, .pod = pod_, .node = "n1"});
    } else if (const auto* const finished = std::get_if<api::ActionFinished>(&input)) {
      const std::string outcome = finished->status ? "done" : finished->status.error().message;
      turn.Do(api::RecordEvent{pod_, api::EventType::Warning, "Outcome",
                               std::to_string(finished->id) + " " + outcome});
    }
  }
  void Wake(const api::Turn& /*turn*/) override {}
  std::optional<Instant> NextWake() const override { return std::nullopt; }

 private:
  static constexpr api::WatchedKind kWatched[] = {{"", "v1", "Pod"}};
  api::ObjectPtr pod_;
};

/// A runner of a Binder, and a server with one pod.
class RunnerTest : public testing::Test {
 protected:
  void Start(const std::string& pod, std::shared_ptr<ActionGuard> guard = {}) {
    pod_ = pod;
    RunnerOptions options{.events = {.source = {.component = "binder", .host = "h"}}};
    options.guard = std::move(guard);
    runner_ =
        std::make_unique<Runner>(client_, std::make_unique<Binder>(), std::move(options), log_.log);
    runner_->Start();
  }
  /// Returns the next request that writes, and answers all.
  std::string NextWrite() {
    while (true) {
      const client::FakeServer::Asked asked = server_.Pop();
      if (asked.line().contains("watch=")) continue;  // never answered: nothing changes
      if (asked.line().starts_with("GET ")) {
        asked.Answer(client::ListJson(1, {client::PodJson(pod_, 1, "u-1")}));
        continue;
      }
      asked.Answer(client::PodJson(pod_, 2, "u-1"));
      return asked.line() + " " + asked.request.body;
    }
  }

  std::string pod_;
  MetricsRegistry metrics_;
  client::ManualClock clock_;
  client::QuietLog log_;
  client::FakeServer server_;
  client::Client client_{server_.Connect(), clock_};
  std::unique_ptr<Runner> runner_;
};

TEST_F(RunnerTest, SendsActionsAndReportsTheirOutcome) {
  Start("p");
  EXPECT_THAT(NextWrite(), HasSubstr("POST /api/v1/namespaces/default/pods/p/binding"));
  const std::string event = NextWrite();
  EXPECT_THAT(event, HasSubstr("POST /api/v1/namespaces/default/events"));
  EXPECT_THAT(event, HasSubstr(R"("message":"5 done")"));
  EXPECT_TRUE(runner_->HasSynced());
  runner_->Stop();
}

TEST_F(RunnerTest, ReportsAnObjectThatTheCoreCannotHandle) {
  Start("poison");
  const std::string event = NextWrite();
  EXPECT_THAT(event, HasSubstr(R"("reason":"FailedProcessing")"));
  EXPECT_THAT(event, HasSubstr("binder set the object aside until it changes: vector"));
  runner_->Stop();
}

TEST_F(RunnerTest, AQueryHasNoObjectAndIsDoneInADryRun) {
  Start("metrics",
        std::make_shared<ActionGuard>(
            ActionGuardOptions{.acts = false, .controllers = {}, .reports_to = {}}, metrics_));
  EXPECT_THAT(NextWrite(), HasSubstr("6 server: must begin with https:// or http://"));
  runner_->Stop();
}

TEST_F(RunnerTest, ADryRunWritesNothingAndCountsAsDone) {
  Start("p", std::make_shared<ActionGuard>(
                 ActionGuardOptions{.acts = false, .controllers = {}, .reports_to = {}}, metrics_));
  EXPECT_THAT(NextWrite(), HasSubstr(R"("message":"5 done")")) << "there is no binding before it";
  EXPECT_THAT(metrics_.Text(), HasSubstr(R"({action="bind",reason="dry-run"} 1)"));
  runner_->Stop();
}

}  // namespace
}  // namespace plimsoll::runner
