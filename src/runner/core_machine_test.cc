#include "runner/core_machine.h"

#include <gtest/gtest.h>

#include <memory>

#include "api/object.h"
#include "codec/json.h"

namespace plimsoll::runner {
namespace {

TEST(CoreMachineTest, AnObjectThatIsSetAsideIsToldSo) {
  auto parsed = codec::ParseJson(
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a","uid":"u"}})");
  ASSERT_TRUE(parsed.has_value());
  const std::shared_ptr<codec::Document> document = *std::move(parsed);
  const auto decoded = api::DecodeObject(document);
  ASSERT_TRUE(decoded.has_value());
  const client::EventToRecord news =
      FailedProcessingEvent(*decoded->object, "scheduler", "it takes too much memory");
  EXPECT_EQ(news.type, api::EventType::Warning);
  EXPECT_EQ(news.reason, "FailedProcessing");
  EXPECT_EQ(news.message,
            "scheduler set the object aside until it changes: it takes too much memory");
}

}  // namespace
}  // namespace plimsoll::runner
