#include "cli/up/start_screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

StartScreenFacts SomeFacts() {
  return {.url = "https://127.0.0.1:6443",
          .kubeconfig = "/d/admin.kubeconfig",
          .context = "plimsoll",
          .directory = "/d",
          .nodes = {.nodes = 20, .surveyed = 20, .open = 10, .for_payments = 12},
          .is_demo = true,
          .has_demo_nodes = true};
}

TEST(UpScreenTest, FitsOnATerminal) {
  StartScreenFacts facts = SomeFacts();
  for (const bool is_demo : {true, false}) {
    for (const std::size_t nodes : {0, 1, 20}) {
      for (const std::size_t open : {0, 1}) {
        facts.is_demo = is_demo;
        facts.nodes.nodes = nodes;
        facts.nodes.open = open;
        const std::string screen = StartScreenText(facts);
        EXPECT_LE(std::ranges::count(screen, '\n'), 23) << screen;
        EXPECT_THAT(screen, HasSubstr("export KUBECONFIG=/d/admin.kubeconfig\n"));
        EXPECT_THAT(screen, HasSubstr("Ctrl-C stops it"));
      }
    }
  }
}

TEST(UpScreenTest, FoldsTextsButNoCommand) {
  StartScreenFacts facts = SomeFacts();
  facts.directory = "/a/directory/with/a/long/name";
  const std::string screen = StartScreenText(facts);
  std::ostringstream whole;
  WriteStartScreen(screen, {}, whole);
  EXPECT_EQ(whole.str(), screen);
  std::ostringstream narrow;
  WriteStartScreen(screen, {.columns = 40}, narrow);
  std::istringstream lines(narrow.str());
  bool are_commands = false;
  for (std::string line; std::getline(lines, line);) {
    are_commands |= line.starts_with("Try in");
    are_commands &= !line.starts_with("Ctrl-C");
    if (are_commands && line.starts_with(' ')) {
      EXPECT_THAT(screen, HasSubstr(line + "\n"));
    } else {
      EXPECT_LE(line.size(), 40U) << line;
    }
  }
}

TEST(UpScreenTest, SaysWhetherItFoundItsData) {
  StartScreenFacts facts = SomeFacts();
  EXPECT_THAT(StartScreenText(facts), HasSubstr("data        /d (new)"));
  facts.had_data = true;
  EXPECT_THAT(StartScreenText(facts), HasSubstr("data        /d (found from an earlier run"));
}

TEST(UpScreenTest, SaysHowToStopAndWhereTheContextIs) {
  StartScreenFacts facts = SomeFacts();
  facts.stop_command = "plimsoll down";
  facts.merged_kubeconfig = "/home/j/.kube/config";
  const std::string screen = StartScreenText(facts);
  EXPECT_THAT(screen, HasSubstr("plimsoll down stops it"));
  EXPECT_THAT(screen, HasSubstr("kubeconfig  /home/j/.kube/config (context plimsoll)"));
  EXPECT_THAT(screen, Not(HasSubstr("export KUBECONFIG")));
  facts.merged_kubeconfig.clear();
  facts.kubeconfig = "/my data/it's/k";
  EXPECT_THAT(StartScreenText(facts), HasSubstr(R"(export KUBECONFIG='/my data/it'\''s/k')"));
}

struct StepsCase {
  bool is_demo;
  NodeSurvey nodes;
  std::vector<std::string> wanted;
  std::vector<std::string> unwanted;
};

TEST(UpScreenTest, ProposesWhatCanWork) {
  const StepsCase kCases[] = {
      {true,
       {.nodes = 20, .surveyed = 20, .open = 10, .for_payments = 12},
       {"app=payment-processor", "30 s later they move", "10 of 20 nodes accept any pod"},
       {}},
      {true,
       {.nodes = 1, .surveyed = 1, .open = 1, .for_payments = 1},
       {"they leave, and no other node takes them", "every node accepts any pod"},
       {}},
      {true,
       {.nodes = 2'000, .surveyed = 1'000, .open = 500, .for_payments = 600},
       {"some nodes accept any pod"},
       {"of 2000"}},
      {true,
       {.nodes = 3, .surveyed = 3, .first_keys = {"gpu"}},
       {"payments wait", "reason=FailedScheduling", R"(kubectl run nginx --image=nginx)",
        R"([{"key":"gpu","operator":"Exists"}])"},
       {"NODE=", "create deployment"}},
      {false,
       {.nodes = 2, .surveyed = 2, .open = 1},
       {"kubectl create deployment web", "NODE=$(kubectl get pods -l app=web"},
       {"payment"}},
      {false,
       {.nodes = 2, .surveyed = 2, .first_keys = {"maintenance", "example.com/x"}},
       {"kubectl run web ",
        R"([{"key":"maintenance","operator":"Exists"},{"key":"example.com/x","operator":"Exists"}])",
        "kubectl taint nodes $NODE maintenance-2=yes:NoExecute"},
       {"create deployment"}},
      {false,
       {.nodes = 2, .surveyed = 2, .first_keys = {"'; rm -rf"}},
       {"kubectl get nodes"},
       {"rm -rf", "kubectl run"}},
      {false, {}, {"no nodes yet: --nodes 3, or --demo"}, {"taint"}},
  };
  for (const StepsCase& one : kCases) {
    StartScreenFacts facts = SomeFacts();
    facts.is_demo = one.is_demo;
    facts.has_demo_nodes = one.is_demo;
    facts.nodes = one.nodes;
    const std::string screen = StartScreenText(facts);
    for (const std::string& text : one.wanted) EXPECT_THAT(screen, HasSubstr(text));
    for (const std::string& text : one.unwanted) EXPECT_THAT(screen, Not(HasSubstr(text)));
  }
}

TEST(UpScreenTest, ShowsTheRiskOfTheDemosOwnNodesOnly) {
  StartScreenFacts facts = SomeFacts();
  EXPECT_THAT(StartScreenText(facts), HasSubstr("RISK:.spec.taints[0].value"));
  facts.has_demo_nodes = false;
  const std::string screen = StartScreenText(facts);
  EXPECT_THAT(screen, Not(HasSubstr("RISK")));
  EXPECT_THAT(screen, Not(HasSubstr("payments accept below 5 %")));
}

}  // namespace
}  // namespace plimsoll::cli
