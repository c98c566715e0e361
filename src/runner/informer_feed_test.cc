#include "runner/informer_feed.h"

#include <gtest/gtest.h>

#include "client/fake_server_for_test.h"

namespace plimsoll::runner {
namespace {

/// Formats an input as one word.
std::string Word(const api::CoreInput& input) {
  if (std::holds_alternative<api::Synced>(input)) return "synced";
  const auto& changed = std::get<api::ObjectChanged>(input);
  const auto& object = changed.new_object ? changed.new_object : changed.old_object;
  const std::string name(object->metadata().name);
  if (!changed.old_object) return "+" + name;
  return (changed.new_object ? "~" : "-") + name;
}

TEST(InformerFeedTest, TellsOfAllKindsAndThenThatThatWasAll) {
  client::FakeServer server;
  client::ManualClock clock;
  client::QuietLog log;
  const client::Client client(server.Connect(), clock);
  client::Channel<std::string> told;
  const api::WatchedKind watched[] = {{"", "v1", "Pod", {}, "status.phase!=Failed"},
                                      {"", "v1", "Node"}};
  InformerFeed feed(client, watched, {}, log.log,
                    [&](const api::CoreInput& input) { told.Put(Word(input)); });
  feed.Start();
  for (int lists = 0; lists < 2;) {
    const client::FakeServer::Asked asked = server.Pop();
    const std::string line = asked.line();
    if (line.contains("watch=")) continue;
    ++lists;
    if (line.contains("/pods")) {
      EXPECT_TRUE(line.contains("fieldSelector=status.phase")) << line;
      asked.Answer(client::ListJson(1, {client::PodJson("p", 1)}));
      EXPECT_EQ(told.Pop(), "+p");
    } else {
      asked.Answer(client::ListJson(1, {}));
    }
  }
  EXPECT_EQ(told.Pop(), "synced");
  EXPECT_TRUE(feed.HasSynced());
  feed.Stop();
}

}  // namespace
}  // namespace plimsoll::runner
