#include "cli/up/create_missing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/virtual_clock.h"
#include "net/client.h"

namespace plimsoll::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Answers each request with the next of the given bodies, and records the requests.
class Answers final : public net::Handler {
 public:
  void Serve(net::Request request, std::shared_ptr<net::Exchange> exchange) override {
    asked.push_back(request.method + " " + request.target);
    net::Response response{.status = codes.empty() ? 201 : codes.front()};
    if (!codes.empty()) codes.erase(codes.begin());
    const std::string reason = response.status == 409 ? "AlreadyExists" : "Invalid";
    response.headers = {{"Content-Type", "application/json"}};
    response.body = MakeBytes(
        response.status == 201
            ? std::string(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}})")
            : R"({"apiVersion":"v1","kind":"Status","status":"Failure","message":"no","reason":")" +
                  reason + R"(","code":)" + std::to_string(response.status) + "}");
    exchange->Respond(std::move(response));
  }

  std::vector<int> codes;
  std::vector<std::string> asked;
};

class CreateMissingTest : public testing::Test {
 protected:
  Status Create(std::string yaml) {
    std::istringstream in;
    std::ostringstream out;
    VirtualClock clock;
    MemorySink sink;
    Logger log(clock, sink);
    Context context{in, out, out, log};
    const client::Client client(net::ConnectLocally(server_, {.user = "up", .groups = {}}), clock);
    return CreateMissing({{"<stdin>", std::move(yaml)}}, client, context);
  }

  Answers server_;
};

constexpr std::string_view kTwo =
    "{apiVersion: v1, kind: Namespace, metadata: {name: shop}}\n---\n"
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}\n";

TEST_F(CreateMissingTest, CreatesEachWhereItBelongs) {
  EXPECT_TRUE(Create(std::string(kTwo)));
  ASSERT_EQ(server_.asked.size(), 2u);
  EXPECT_THAT(server_.asked[0], HasSubstr("POST /api/v1/namespaces?"));
  EXPECT_THAT(server_.asked[1], HasSubstr("POST /api/v1/namespaces/default/configmaps?"));
}

TEST_F(CreateMissingTest, WhatIsThereStays) {
  server_.codes = {409, 201};
  EXPECT_TRUE(Create(std::string(kTwo)));
  EXPECT_EQ(server_.asked.size(), 2u);
}

TEST_F(CreateMissingTest, SaysWhereTheFaultIs) {
  server_.codes = {201, 422};
  const Status refused = Create(std::string(kTwo));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr(":3: no"));
  EXPECT_THAT(Create("{apiVersion: v1, kind: Foo}").error().message, HasSubstr("no kind \"Foo\""));
}

TEST_F(CreateMissingTest, ChecksWithoutAServer) {
  EXPECT_TRUE(CheckManifests({{"a.yaml", std::string(kTwo)}}));
  const Status wrong = CheckManifests({{"a.yaml", std::string(kTwo)}, {"b.yaml", "\nkind: Foo"}});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().reason, Reason::Invalid);
  EXPECT_THAT(wrong.error().message, HasSubstr("b.yaml:2: "));
  EXPECT_TRUE(server_.asked.empty());
}

}  // namespace
}  // namespace plimsoll::cli
