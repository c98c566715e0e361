#include "apiserver/resource/stored_bytes.h"

#include <gtest/gtest.h>

#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

std::string Encoded(std::string json) {
  const auto document = codec::ParseJson(std::move(json));
  return EncodeForStore((*document)->root());
}

TEST(StoredBytesTest, PutsMetadataWhereItIsFound) {
  EXPECT_EQ(Encoded(R"({"spec":{"metadata":{"a":1}},"metadata":{"name":"x","resourceVersion":"7"},)"
                    R"("apiVersion":"v1","kind":"Pod"})"),
            R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"x"},)"
            R"("spec":{"metadata":{"a":1}}})");
}

TEST(StoredBytesTest, TheRevisionComesBackAsResourceVersion) {
  const std::string stored = Encoded(R"({"kind":"Pod","metadata":{"name":"x"}})");
  EXPECT_EQ(*WithRevision(stored, store::Revision{12}),
            R"({"kind":"Pod","metadata":{"resourceVersion":"12","name":"x"}})");
}

TEST(StoredBytesTest, ACopyOfTheTreeHasTheRevisionInOneBlock) {
  const auto document =
      codec::ParseJson(R"({"kind":"Pod","metadata":{"name":"x","resourceVersion":"7"},"spec":{}})");
  const auto copy = CopyWithRevision((*document)->root(), store::Revision{12});
  EXPECT_EQ(codec::WriteJson(copy->root()),
            R"({"kind":"Pod","metadata":{"resourceVersion":"12","name":"x"},"spec":{}})");
  EXPECT_EQ(copy->bytes(), codec::Document(copy->bytes()).bytes());
}

TEST(StoredBytesTest, MetadataMayBeEmptyOrMissing) {
  EXPECT_EQ(*WithRevision(Encoded(R"({"kind":"Pod"})"), store::Revision{1}),
            R"({"kind":"Pod","metadata":{"resourceVersion":"1"}})");
}

}  // namespace
}  // namespace plimsoll::apiserver
