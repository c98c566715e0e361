#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "controller/server_for_test.h"

namespace plimsoll::controller {

/// For tests of a workload controller: one workload, whose pods the test starts.
template <class Core>
class WorkloadForTest {
 public:
  virtual ~WorkloadForTest() = default;

 protected:
  /// The workload is in the namespace `default`; Core is made from `arguments`.
  template <class... Arguments>
  WorkloadForTest(std::string_view kind, std::string_view name, Instant start,
                  Arguments&&... arguments)
      : core_(std::forward<Arguments>(arguments)...),
        server_(core_, start),
        kind_(kind),
        name_(name) {}

  void Put(const std::string& yaml) {
    server_.Put(yaml);
    server_.RunFor(kStep);
  }
  /// Patches the spec as a user would, and increments the generation.
  void Patch(std::string_view spec) {
    ++generation_;
    server_.Patch(kind_, "default", name_,
                  R"({"metadata":{"generation":)" + std::to_string(generation_) + R"(},"spec":)" +
                      std::string(spec) + "}");
    server_.RunFor(kStep);
  }
  void SetImage(std::string_view image) {
    Patch(R"({"template":{"spec":{"containers":[{"name":"c","image":")" + std::string(image) +
          R"("}]}}})");
  }
  /// Makes all new pods ready, and returns their number.
  std::size_t MakeReady() {
    std::size_t count = 0;
    for (const ObjectPtr& pod : server_.All("Pod")) {
      if (pod->tree().Find("status") != nullptr) continue;
      ++count;
      server_.Patch("Pod", "default", pod->metadata().name,
                    R"({"spec":{"nodeName":")" + NodeFor(*pod) +
                        R"("},"status":{"phase":"Running","conditions":[{"type":"Ready",)"
                        R"("status":"True","lastTransitionTime":"1970-01-01T01:00:00Z"}]}})");
    }
    server_.RunFor(kStep);
    return count;
  }
  /// Returns the node on which a new pod is placed.
  virtual std::string NodeFor(const api::Object& /*pod*/) const { return "node"; }

  Core core_;
  ServerForTest<Core> server_;

 private:
  static constexpr Duration kStep = std::chrono::seconds(1);

  const std::string kind_;
  const std::string name_;
  int generation_ = 1;
};

}  // namespace plimsoll::controller
