#pragma once

#include <memory>
#include <utility>

#include "api/feature_gates.h"
#include "base/metrics.h"
#include "controller/server_for_test.h"
#include "match/rules.h"

namespace plimsoll::controller {

/// For tests: a controller that can be restarted. Its successor starts from the same objects.
template <class Core>
class ChainForTest {
 public:
  explicit ChainForTest(Instant start) : start_(start) { Restart(); }

  void Restart() {
    auto next = std::make_unique<Link>(start_);
    if (link_ != nullptr) next->server.TakeOver(link_->server);
    link_ = std::move(next);
    link_->server.Sync();
  }
  ServerForTest<Core>& server() { return link_->server; }
  const ServerForTest<Core>& server() const { return link_->server; }
  const Core& core() const { return link_->core; }

 private:
  struct Link {
    explicit Link(Instant start) : server(core, start) {}

    MetricsRegistry metrics;
    Core core{api::FeatureGates{}, match::Rules{}, metrics};
    ServerForTest<Core> server;
  };

  const Instant start_;
  std::unique_ptr<Link> link_;
};

}  // namespace plimsoll::controller
