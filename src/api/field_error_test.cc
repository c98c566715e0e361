#include "api/field_error.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace plimsoll::api {
namespace {

const FieldPath kAt("spec.x");

std::string TextOf(void (*report)(FieldErrors&)) {
  FieldErrors errors;
  report(errors);
  return errors.Text();
}

TEST(FieldErrorTest, EachTypeHasUpstreamsWords) {
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.Required(kAt, "say it"); }),
            "spec.x: Required value: say it");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.Required(kAt, ""); }), "spec.x: Required value");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.Invalid(kAt, "y", "must be z"); }),
            "spec.x: Invalid value: \"y\": must be z");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.NotSupported(kAt, BadValue::String("y"), {"a", "b"}); }),
            "spec.x: Unsupported value: \"y\": supported values: \"a\", \"b\"");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.Duplicate(kAt, BadValue::Int(7)); }),
            "spec.x: Duplicate value: 7");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.Forbidden(kAt, "not now"); }),
            "spec.x: Forbidden: not now");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.NotFound(kAt, BadValue::Bool(true)); }),
            "spec.x: Not found: true");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.TooLong(kAt, 63); }),
            "spec.x: Too long: may not be more than 63 bytes");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.TooMany(kAt, 17, 16); }),
            "spec.x: Too many: 17: must have at most 16 items");
  EXPECT_EQ(TextOf([](FieldErrors& e) { e.Internal(kAt, "oh"); }), "spec.x: Internal error: oh");
}

TEST(FieldErrorTest, AStringIsQuotedAsGoDoesAndATypedOneAsJson) {
  EXPECT_EQ(BadValue::String("<\x01>").shown(), "\"<\\x01>\"");
  EXPECT_EQ(BadValue::TypedString("<\x01>").shown(), "\"\\u003c\\u0001\\u003e\"");
  EXPECT_EQ(BadValue::String("<").json(), "\"\\u003c\"");
  EXPECT_EQ(BadValue::Null().shown(), "null");
  EXPECT_EQ(BadValue::None().shown(), "\"\"");
  EXPECT_EQ(BadValue::Json("{\"a\":1}").shown(), "{\"a\":1}");
}

TEST(FieldErrorTest, SeveralStandInBracketsAndEqualOnesOnce) {
  FieldErrors errors;
  EXPECT_TRUE(errors.empty());
  errors.Forbidden(kAt, "a");
  errors.Forbidden(kAt, "a");
  EXPECT_EQ(errors.Text(), "spec.x: Forbidden: a");
  FieldErrors more;
  more.Forbidden(kAt, "b");
  errors.Append(more);
  EXPECT_EQ(errors.Text(), "[spec.x: Forbidden: a, spec.x: Forbidden: b]");
  EXPECT_EQ(errors.size(), 3u);
}

TEST(FieldErrorTest, CausesHaveTheApisNames) {
  EXPECT_EQ(CauseReason(FieldErrorType::Invalid), "FieldValueInvalid");
  EXPECT_EQ(CauseReason(FieldErrorType::TypeInvalid), "FieldValueTypeInvalid");
  EXPECT_EQ(CauseReason(FieldErrorType::Internal), "InternalError");
}

}  // namespace
}  // namespace plimsoll::api
