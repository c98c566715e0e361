#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "scheduler/framework/framework.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/scripted_plugin_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using Nomination = PostFilterOutcome::Nomination;

class PostFilterTest : public testing::Test {
 protected:
  PostFilterOutcome Ask(std::vector<PostFilterOutcome> outcomes) {
    ClusterState cluster{match::Rules{}};
    std::vector<EnabledPlugin> plugins;
    asked_ = 0;
    for (PostFilterOutcome& outcome : outcomes) {
      auto plugin = std::make_unique<ScriptedPlugin>(cluster, "P" + std::to_string(plugins.size()));
      plugin->post_filter = [this, outcome](PodId) {
        ++asked_;
        return outcome;
      };
      plugins.push_back({std::move(plugin), kPostFilter, 1});
    }
    Framework framework(cluster, std::move(plugins), {});
    const ObjectPtr pod = PodFromYaml("p", "{}");
    const auto pod_class = cluster.ClassOf(pod);
    Random random(1);
    const PodUnderTest question{kNoPod, *pod->As<api::Pod>(), *pod_class};
    PostFilterOutcome outcome = framework.PostFilter(framework.Begin(question), {}, random);
    outcome.verdict.plugin = {};  // points into the framework
    return outcome;
  }
  static PostFilterOutcome Say(Code code, std::string reason,
                               Nomination nomination = Nomination::Leave) {
    return {.verdict = Verdict::Of(code, std::move(reason)), .nomination = nomination};
  }

  int asked_ = 0;
};

TEST_F(PostFilterTest, JoinsWhatThosePluginsSayThatCannotHelp) {
  const PostFilterOutcome outcome =
      Ask({Say(Code::Unschedulable, "a", Nomination::Clear), Say(Code::Unschedulable, "b")});
  EXPECT_EQ(outcome.verdict.code, Code::Unschedulable);
  EXPECT_THAT(outcome.verdict.reasons, ElementsAre("a", "b"));
  EXPECT_EQ(outcome.nomination, Nomination::Clear);
}

TEST_F(PostFilterTest, EndsWithTheFirstThatHelpsOrKnowsThatNothingWill) {
  for (const Code code : {Code::Success, Code::UnschedulableAndUnresolvable, Code::Error}) {
    const PostFilterOutcome outcome =
        Ask({Say(Code::Unschedulable, "a"), Say(code, "b"), Say(Code::Success, "c")});
    EXPECT_EQ(outcome.verdict.code, code);
    EXPECT_THAT(outcome.verdict.reasons, ElementsAre("b"));
    EXPECT_EQ(asked_, 2);
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
