#include "cli/store/server_snapshot.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <vector>

#include "base/file.h"
#include "base/virtual_clock.h"
#include "client/fake_server_for_test.h"
#include "store/snapshot_format.h"
#include "store/temporary_directory_for_test.h"

namespace plimsoll::cli {
namespace {

/// A server with one pod and no other objects. Each request increases its revision.
class OnePodServer {
 public:
  std::string git_version = "v1.37.0+plimsoll";
  bool is_compacted = false;
  std::vector<std::string> lists;

  client::ManualClock clock;
  client::FakeServer server{[this](const net::Request& request) { return Answer(request); }};
  client::Client client{server.Connect(), clock};

 private:
  net::Response Answer(const net::Request& request) {
    if (request.target == "/version") {
      return client::JsonResponse(R"({"gitVersion":")" + git_version + R"("})");
    }
    lists.push_back(request.target);
    if (is_compacted && lists.size() > 1) {
      return client::JsonResponse(api::Expired("too old").Json(), 410);
    }
    if (request.target.starts_with("/apis/resource.k8s.io")) {
      return client::JsonResponse("404 page not found", 404);
    }
    const bool is_pods = request.target.starts_with("/api/v1/pods?");
    return client::JsonResponse(
        client::ListJson(static_cast<int>(40 + lists.size()),
                         is_pods ? std::vector<std::string>{client::PodJson("web", 7)}
                                 : std::vector<std::string>()));
  }
};

class ServerSnapshotTest : public testing::Test {
 protected:
  Result<store::Transferred> Save() { return SaveServerSnapshot(server_.client, file_, context_); }

  OnePodServer server_;
  const store::TemporaryDirectory directory_;
  const std::string file_ = directory_.path() + "/snapshot";
  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  VirtualClock clock_;
  MemorySink sink_;
  Logger log_{clock_, sink_};
  Context context_{in_, out_, err_, log_};
};

TEST_F(ServerSnapshotTest, IsOfOneRevision) {
  const auto saved = Save();
  ASSERT_TRUE(saved) << saved.error().Text();
  EXPECT_EQ(saved->records, 1u);
  EXPECT_EQ(saved->at, store::Revision{41});
  ASSERT_GT(server_.lists.size(), 20u);
  for (std::size_t i = 1; i < server_.lists.size(); ++i) {
    if (!server_.lists[i].contains('?')) continue;  // discovery
    EXPECT_TRUE(server_.lists[i].contains("resourceVersion=41&resourceVersionMatch=Exact"))
        << server_.lists[i];
  }
  EXPECT_TRUE(err_.str().contains("does not serve resourceclaims")) << err_.str();
}

TEST_F(ServerSnapshotTest, HoldsWhatTheStoreWouldHold) {
  ASSERT_TRUE(Save());
  const std::string text = ReadFile(file_).value();
  const auto snapshot = store::ReadSnapshot(text);
  ASSERT_TRUE(snapshot);
  ASSERT_EQ(snapshot->entries.size(), 1u);
  EXPECT_EQ(snapshot->entries[0].first, "/registry/pods/default/web");
  EXPECT_TRUE(snapshot->entries[0].second.starts_with(R"({"kind":"Pod","apiVersion":"v1",)"));
  EXPECT_FALSE(snapshot->entries[0].second.contains("resourceVersion"));
}

TEST_F(ServerSnapshotTest, IsWholeOrNotThere) {
  server_.is_compacted = true;
  const auto late = Save();
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().reason, Reason::Expired);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

TEST_F(ServerSnapshotTest, IsOfOurOwnServersOnly) {
  server_.git_version = "v1.34.1";
  const auto stock = Save();
  ASSERT_FALSE(stock);
  EXPECT_TRUE(stock.error().message.contains("not plimsoll")) << stock.error().message;
}

}  // namespace
}  // namespace plimsoll::cli
