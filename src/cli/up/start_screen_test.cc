#include "cli/up/start_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

StartScreenFacts SomeFacts() {
  return {.url = "https://127.0.0.1:6443",
          .kubeconfig = "/d/admin.kubeconfig",
          .directory = "/d",
          .nodes = 20,
          .first_node = "spot-00",
          .is_demo = true};
}

TEST(UpScreenTest, FitsOnATerminal) {
  StartScreenFacts facts = SomeFacts();
  for (const bool is_demo : {true, false}) {
    for (const std::size_t nodes : {0, 1, 20}) {
      facts.is_demo = is_demo;
      facts.nodes = nodes;
      const std::string screen = StartScreenText(facts);
      EXPECT_LE(std::ranges::count(screen, '\n'), 23) << screen;
      EXPECT_THAT(screen, HasSubstr("export KUBECONFIG=/d/admin.kubeconfig\n"));
      EXPECT_THAT(screen, HasSubstr("Ctrl-C stops it"));
    }
  }
}

TEST(UpScreenTest, SaysWhetherItFoundItsData) {
  StartScreenFacts facts = SomeFacts();
  EXPECT_THAT(StartScreenText(facts), HasSubstr("data        /d (new)"));
  facts.had_data = true;
  EXPECT_THAT(StartScreenText(facts), HasSubstr("data        /d (found from an earlier run"));
}

TEST(UpScreenTest, ProposesWhatCanWork) {
  StartScreenFacts facts = SomeFacts();
  EXPECT_THAT(StartScreenText(facts), HasSubstr("payment-processor"));
  facts.is_demo = false;
  EXPECT_THAT(StartScreenText(facts), HasSubstr("kubectl taint nodes spot-00 "));
  facts.nodes = 0;
  EXPECT_THAT(StartScreenText(facts), HasSubstr("no nodes yet: --nodes 3, or --demo"));
}

}  // namespace
}  // namespace plimsoll::cli
