#include "api/validation/object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "codec/json.h"

namespace plimsoll::api {
namespace {

std::shared_ptr<const Object> Read(const std::string& json) {
  auto document = codec::ParseJson(json);
  EXPECT_TRUE(document.has_value()) << json;
  auto decoded = DecodeObject(std::shared_ptr<codec::Document>(*std::move(document)));
  EXPECT_TRUE(decoded.has_value()) << decoded.error().Text();
  return decoded->object;
}

constexpr std::string_view kClass =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"$"},"spec":{}})";

std::string ClassNamed(std::string_view name) {
  std::string text(kClass);
  return text.replace(text.find('$'), 1, name);
}

TEST(ValidateObjectTest, JudgesEachKindByItsRules) {
  const ValidationContext context;
  EXPECT_TRUE(
      ValidateCreate(*Read(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}})"), context)
          .empty());
  const auto pod = Read(R"({"apiVersion":"v1","kind":"Pod",
      "metadata":{"name":"p","namespace":"d"},"spec":{}})");
  EXPECT_EQ(ValidateCreate(*pod, context).Text(), "spec.containers: Required value");
  const auto volume = Read(R"({"apiVersion":"v1","kind":"PersistentVolume",
      "metadata":{"name":"v"},"spec":{"accessModes":["ReadWriteOnce"],"hostPath":{"path":"/x"}}})");
  EXPECT_THAT(ValidateCreate(*volume, context).Text(), testing::HasSubstr("spec.capacity"));
}

TEST(ValidateObjectTest, OfUnreadKindsTheMetadataIsJudged) {
  const ValidationContext context;
  EXPECT_TRUE(ValidateCreate(*Read(ClassNamed("gpu")), context).empty());
  EXPECT_THAT(ValidateCreate(*Read(ClassNamed("No Class")), context).Text(),
              testing::StartsWith("metadata.name: Invalid value: \"No Class\": "));
}

TEST(ValidateObjectTest, UpdatesMayNotRename) {
  const FieldErrors errors =
      ValidateUpdate(*Read(ClassNamed("b")), *Read(ClassNamed("a")), ValidationContext());
  EXPECT_THAT(errors.Text(),
              testing::HasSubstr("metadata.name: Invalid value: \"b\": field is immutable"));
}

TEST(ValidateObjectTest, PrefixNamesTheGroup) {
  EXPECT_EQ(InvalidPrefix(*Read(ClassNamed("gpu"))),
            "DeviceClass.resource.k8s.io \"gpu\" is invalid: ");
}

}  // namespace
}  // namespace plimsoll::api
