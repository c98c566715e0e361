#include "api/core/node_selector.h"

#include <string_view>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace plimsoll::api {
namespace {

TEST(NodeSelectorTest, ReadsOperators) {
  using enum NodeSelectorOperator;
  for (const auto& [text, want] : std::vector<std::pair<std::string_view, NodeSelectorOperator>>{
           {"In", In},
           {"NotIn", NotIn},
           {"Exists", Exists},
           {"DoesNotExist", DoesNotExist},
           {"Gt", Gt},
           {"Lt", Lt},
           {"SemverGt", SemverGt},
           {"SemverLt", SemverLt},
           {"SemverEq", SemverEq},
       }) {
    EXPECT_EQ(ParseNodeSelectorOperator(text), want) << text;
  }
  for (const std::string_view text : {"", "in", "Equal", "Ge"}) {
    EXPECT_EQ(ParseNodeSelectorOperator(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace plimsoll::api
