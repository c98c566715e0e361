#include "apiserver/resource/conversion.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kCore =
    R"({"kind":"Event","apiVersion":"v1","metadata":{"name":"e"},"involvedObject":{"kind":"Pod"},)"
    R"("reason":"r","message":"m","reportingComponent":"c","count":2,)"
    R"("firstTimestamp":"2026-03-01T12:00:00Z","source":{"component":"s"},"type":"Normal"})";
constexpr std::string_view kNew =
    R"({"kind":"Event","apiVersion":"events.k8s.io/v1","metadata":{"name":"e"},)"
    R"("regarding":{"kind":"Pod"},"reason":"r","note":"m","reportingController":"c",)"
    R"("deprecatedCount":2,"deprecatedFirstTimestamp":"2026-03-01T12:00:00Z",)"
    R"("deprecatedSource":{"component":"s"},"type":"Normal"})";

TEST(ConversionTest, EventsHaveTwoForms) {
  const ResourceTable table;
  const Resource& events = *table.Find("events.k8s.io", "v1", "events");
  const auto core = codec::ParseJson(std::string(kCore));
  ASSERT_TRUE(core.has_value());
  codec::Document document;
  const codec::Value served = ToServed(events, (*core)->root(), document);
  EXPECT_EQ(codec::WriteJson(served), kNew);
  EXPECT_EQ(codec::WriteJson(ToStored(events, served, document)), kCore);
}

TEST(ConversionTest, OthersDifferInTheirVersion) {
  Resource other;
  other.kind = api::FindKind("apps", "v1", "Deployment");
  other.stored = api::FindKind("batch", "v1", "Job");
  codec::Document document;
  codec::Value stored = document.NewObject();
  document.Set(stored, "apiVersion", codec::Value::String("?"));
  document.Set(stored, "note", codec::Value::Int(1));
  const codec::Value served = ToServed(other, stored, document);
  EXPECT_EQ(codec::WriteJson(served), R"({"apiVersion":"apps/v1","note":1})");
  EXPECT_EQ(codec::WriteJson(ToStored(other, served, document)),
            R"({"apiVersion":"batch/v1","note":1})");
}

}  // namespace
}  // namespace plimsoll::apiserver
