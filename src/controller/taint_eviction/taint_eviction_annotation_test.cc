// Tests of pods with tolerations in an annotation, as used on upstream API servers.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/expression/toleration_expression.h"
#include "api/extension/extended_pod.h"
#include "controller/server_for_test.h"
#include "controller/taint_eviction/taint_eviction.h"
#include "match/cel_evaluator.h"

namespace plimsoll::controller {
namespace {

using Texts = std::vector<std::string>;
using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

class AnnotatedEvictionTest : public testing::Test {
 protected:
  AnnotatedEvictionTest() {
    server_.ReadAs([this](const ObjectPtr& object) {
      if (object->As<api::Pod>() == nullptr) return object;
      return api::ExtendPod(object, {.gates = {}, .expressions = &expressions_});
    });
    Taint("kernel", "6.5.0");
    server_.Sync();
  }

  void Taint(std::string_view key, std::string_view value) {
    Put("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nspec: {taints: [{key: " +
        std::string(key) + ", value: '" + std::string(value) + "', effect: NoExecute}]}\n");
  }
  void PutPod(std::string_view annotation) {
    Put("apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default, annotations: "
        "{plimsoll.io/tolerations: '" +
        std::string(annotation) + "'}}\nspec: {nodeName: n1}\n");
  }
  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.Settle();
    server_.RunFor(1s);
  }
  bool HasPod() { return server_.Find("Pod", "default", "p") != nullptr; }

  const api::TolerationExpressions expressions_;
  const match::CelEvaluator evaluator_{expressions_};
  MetricsRegistry metrics_;
  TaintEviction core_{{}, match::Rules::From({}, &evaluator_), metrics_};
  ServerForTest<TaintEviction> server_{core_, kNoon};
};

TEST_F(AnnotatedEvictionTest, WhatTheAnnotationToleratesStays) {
  PutPod(R"([{"key":"kernel","operator":"SemverGt","value":"6.1.0"}])");
  EXPECT_TRUE(HasPod());
  Taint("kernel", "6.0.0");
  EXPECT_FALSE(HasPod());
}

TEST_F(AnnotatedEvictionTest, AnExpressionCountsToo) {
  PutPod(R"([{"expression":"taint.key == \"kernel\""}])");
  EXPECT_TRUE(HasPod());
  EXPECT_EQ(server_.TakeEvents(), Texts());
}

TEST_F(AnnotatedEvictionTest, WhatCannotBeReadDecidesNothing) {
  PutPod(R"([{"key":"kernel","operator":"Near"}])");
  EXPECT_TRUE(HasPod());
  const Texts events = server_.TakeEvents();
  ASSERT_EQ(events.size(), 1U);
  EXPECT_TRUE(
      events[0].starts_with("InvalidAnnotation: metadata.annotations"
                            "[plimsoll.io/tolerations][0].operator: Unsupported value"))
      << events[0];
  // The event is recorded once. A valid annotation takes effect.
  PutPod(R"([{"key":"kernel","operator":"Near"}])");
  EXPECT_EQ(server_.TakeEvents(), Texts());
  PutPod("[]");
  EXPECT_FALSE(HasPod());
}

TEST_F(AnnotatedEvictionTest, AFaultStopsACountdown) {
  PutPod(R"([{"key":"kernel","operator":"Exists","effect":"NoExecute","tolerationSeconds":60}])");
  EXPECT_EQ(core_.countdowns(), 1U);
  PutPod("[");
  EXPECT_EQ(core_.countdowns(), 0U);
  server_.RunFor(1h);
  EXPECT_TRUE(HasPod());
  const Texts events = server_.TakeEvents();
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0],
            "TaintManagerEviction: Cancelling deletion of Pod default/p: its annotations cannot be "
            "read");
  EXPECT_TRUE(events[1].starts_with("InvalidAnnotation: ")) << events[1];
}

}  // namespace
}  // namespace plimsoll::controller
