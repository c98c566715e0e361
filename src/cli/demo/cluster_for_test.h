#pragma once

#include <memory>
#include <string>

#include "apiserver/server/instance_for_test.h"
#include "base/assert.h"
#include "base/real_clock.h"
#include "client/client.h"

namespace plimsoll::cli {

/// An API server without other components, and a client of its administrator.
class ClusterForTest {
 public:
  void Create(const std::string& path, const std::string& json) {
    const auto answer = server_.Send("POST", path, json, {{"Content-Type", "application/json"}});
    PL_ASSERT(answer.status == 201);
  }
  /// Creates a node with these taints, a JSON array.
  void CreateNode(const std::string& name, const std::string& taints) {
    Create("/api/v1/nodes", R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name +
                                R"("},"spec":{"taints":)" + taints + "}}");
  }
  /// Sets the condition Ready of a node.
  void ReportReady(const std::string& name, const std::string& status) {
    const auto answer =
        server_.Send("PATCH", "/api/v1/nodes/" + name + "/status",
                     R"({"status":{"conditions":[{"type":"Ready","status":")" + status + R"("}]}})",
                     {{"Content-Type", "application/merge-patch+json"}});
    PL_ASSERT(answer.status == 200);
  }
  std::string Get(const std::string& path) { return server_.Send("GET", path).body; }

  apiserver::LocalServer& server() { return server_; }
  const client::Client& client() const { return client_; }
  net::Transport& transport() { return *transport_; }

 private:
  apiserver::LocalServer server_;
  RealClock clock_;
  const std::shared_ptr<net::Transport> transport_ = server_.Connect({"admin", {"system:masters"}});
  const client::Client client_{transport_, clock_};
};

}  // namespace plimsoll::cli
