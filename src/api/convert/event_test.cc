#include "api/convert/event.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "api/object.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kCore =
    R"({"apiVersion":"v1","kind":"Event","metadata":{"name":"e","namespace":"n"},)"
    R"("involvedObject":{"kind":"Pod","name":"p"},"message":"m","reason":"r","source":)"
    R"({"component":"c"},"firstTimestamp":"2026-01-01T00:00:00Z",)"
    R"("lastTimestamp":"2026-01-01T00:00:00Z","count":2,"reportingComponent":"c","type":"Normal"})";
constexpr std::string_view kModern =
    R"({"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"e","namespace":"n"},)"
    R"("regarding":{"kind":"Pod","name":"p"},"note":"m","reason":"r","deprecatedSource":)"
    R"({"component":"c"},"deprecatedFirstTimestamp":"2026-01-01T00:00:00Z",)"
    R"("deprecatedLastTimestamp":"2026-01-01T00:00:00Z","deprecatedCount":2,)"
    R"("reportingController":"c","type":"Normal"})";

std::string Converted(std::string_view json, const KindDesc& wanted) {
  const auto parsed = codec::ParseJson(std::string(json));
  EXPECT_TRUE(parsed.has_value());
  codec::Document& document = **parsed;
  ConvertEvent(document, document.root(), wanted);
  const std::string text = codec::WriteJson(document.root());
  std::vector<StrictFinding> findings;
  EXPECT_TRUE(Conform(document, document.root(), wanted.type->id, FieldValidation::Strict, findings)
                  .has_value());
  return text;
}

TEST(ConvertEventTest, TheTwoApisKeepTheSameFacts) {
  const KindDesc& core = *FindKind("", "v1", "Event");
  const KindDesc& modern = *FindKind("events.k8s.io", "v1", "Event");
  EXPECT_EQ(Converted(kCore, modern), kModern);
  EXPECT_EQ(Converted(kModern, core), kCore);
  EXPECT_EQ(Converted(kCore, core), kCore);
  EXPECT_EQ(Converted(kModern, modern), kModern);
}

}  // namespace
}  // namespace plimsoll::api
