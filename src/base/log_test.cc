#include "base/log.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "base/virtual_clock.h"
#include "gtest/gtest.h"

namespace plimsoll {
namespace {

class LogTest : public testing::Test {
 protected:
  Logger Make(int verbosity, std::vector<ModuleVerbosity> modules = {},
              LogFormat format = LogFormat::Text) {
    return {clock_, sink_, {format, verbosity, std::move(modules), 7}};
  }

  VirtualClock clock_;
  MemorySink sink_;
};

TEST_F(LogTest, WritesOneLineWithPlaceAndFields) {
  Logger log = Make(2);
  const int line = __LINE__ + 1;
  PL_LOG(log, Info(2), "Bound the pod", {"pod", ObjectName{"default", "web"}}, {"attempts", 3});
  EXPECT_EQ(sink_.text(), "I0101 00:00:00.000000       7 log_test.cc:" + std::to_string(line) +
                              "] \"Bound the pod\" pod=\"default/web\" attempts=3\n");
}

TEST_F(LogTest, WritesJson) {
  Logger log = Make(0, {}, LogFormat::Json);
  const Status failed = Fail(Reason::Conflict, "stale");
  PL_LOG(log, Error(failed.error()), "Could not bind", {"pod", "web"});
  EXPECT_TRUE(sink_.text().starts_with("{\"ts\":0,\"caller\":\"base/log_test.cc:")) << sink_.text();
  EXPECT_TRUE(
      sink_.text().ends_with(",\"msg\":\"Could not bind\",\"pod\":\"web\",\"err\":\"stale\"}\n"))
      << sink_.text();
}

TEST_F(LogTest, EvaluatesNothingForALineThatIsNotWritten) {
  Logger log = Make(1);
  int calls = 0;
  const auto expensive = [&] { return ++calls; };
  PL_LOG(log, Info(2), "Quiet", {"cost", expensive()});
  EXPECT_EQ(sink_.text(), "");
  EXPECT_EQ(calls, 0);
  PL_LOG(log, Info(1), "Loud", {"cost", expensive()});
  EXPECT_EQ(calls, 1);
}

TEST_F(LogTest, WarningsAndErrorsNeedNoVerbosity) {
  Logger log = Make(0);
  PL_LOG(log, Warning(), "careful");
  PL_LOG(log, Error(), "broken");
  EXPECT_EQ(std::ranges::count(sink_.text(), '\n'), 2);
}

TEST_F(LogTest, VerbosityMayChange) {
  Logger log = Make(0);
  PL_LOG(log, Info(4), "before");
  log.set_verbosity(4);
  PL_LOG(log, Info(4), "after");
  EXPECT_TRUE(sink_.text().ends_with("\"after\"\n"));
  EXPECT_FALSE(sink_.text().contains("before"));
}

TEST_F(LogTest, ModulesHaveTheirOwnVerbosity) {
  const Logger log = Make(1, {{"cycle", 4}, {"match/*", 3}, {"q*", 2}, {"queue", 9}});
  const auto enabled = [&](int verbosity, std::string_view file) {
    return log.Enabled(LogKind::Info(verbosity), file);
  };
  EXPECT_TRUE(enabled(1, "/x/src/other.cc"));
  EXPECT_FALSE(enabled(2, "/x/src/other.cc"));
  EXPECT_TRUE(enabled(4, "/x/src/scheduler/cycle.cc"));
  EXPECT_FALSE(enabled(5, "/x/src/scheduler/cycle.cc"));
  EXPECT_TRUE(enabled(3, "/x/src/match/taint.cc"));
  EXPECT_TRUE(enabled(3, "match/taint.cc"));
  EXPECT_FALSE(enabled(3, "/x/match/src/taint.cc"));
  EXPECT_FALSE(enabled(9, "/x/src/queue.cc")) << "the first pattern that matches decides";
}

TEST_F(LogTest, LinesOfManyThreadsStayWhole) {
  constexpr int kThreads = 4;
  constexpr int kLinesEach = 100;
  Logger log = Make(0);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int j = 0; j < kLinesEach; ++j) PL_LOG(log, Info(), "line", {"number", j});
        log.set_verbosity(1);
      });
    }
  }
  const std::string text = sink_.text();
  EXPECT_EQ(std::ranges::count(text, '\n'), kThreads * kLinesEach);
  EXPECT_EQ(std::ranges::count(text, 'I'), kThreads * kLinesEach);
}

TEST(StderrSinkTest, WritesToStandardError) {
  testing::internal::CaptureStderr();
  StderrSink().Write("a line\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a line\n");
}

TEST(LogFlagsTest, ReadsTheFormat) {
  EXPECT_EQ(ParseLogFormat("text"), LogFormat::Text);
  EXPECT_EQ(ParseLogFormat("json"), LogFormat::Json);
  EXPECT_EQ(ParseLogFormat("xml").error().Text(),
            "logging-format: want \"text\" or \"json\", got \"xml\"");
}

TEST(LogFlagsTest, ReadsModules) {
  using Modules = std::vector<ModuleVerbosity>;
  EXPECT_EQ(ParseModuleVerbosity(""), Modules{});
  EXPECT_EQ(ParseModuleVerbosity("cycle=4,match/*=2,"), (Modules{{"cycle", 4}, {"match/*", 2}}));
  for (const std::string text : {"cycle", "=3", "cycle=", "cycle=x", "cycle=3x", "a=1,b"}) {
    EXPECT_EQ(ParseModuleVerbosity(text).error().message,
              "syntax error: expect comma-separated list of filename=N")
        << text;
  }
  EXPECT_EQ(ParseModuleVerbosity("cycle=-1").error().message, "negative value for vmodule level");
}

}  // namespace
}  // namespace plimsoll
