#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(CelFormatTest, Validates) {
  EXPECT_EQ(
      Differences({
          {"format.dns1123Label().validate('my-label')", "optional.none() @9"},
          {"format.dns1123LabelPrefix().validate('my-label-')", "optional.none() @9"},
          {"format.dns1123LabelPrefix().validate('-')",
           "optional.of([\"a lowercase RFC 1123 label must consist of lower case alphanumeric "
           "characters or '-', and must start and end with an alphanumeric character (e.g. "
           "'my-name',  or '123-abc', regex used for validation is "
           "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')\"]) @9"},
          {"format.dns1123Subdomain().validate('a.b')", "optional.none() @16"},
          {"format.dns1123SubdomainPrefix().validate('a.b-')", "optional.none() @16"},
          {"format.dns1035Label().validate('a1')", "optional.none() @9"},
          {"format.dns1035LabelPrefix().validate('a1-')", "optional.none() @9"},
          {"format.qualifiedName().validate('a/b')", "optional.none() @16"},
          {"format.labelValue().validate('')", "optional.none() @11"},
          {"format.uri().validate('/a')", "optional.none() @277"},
          {"format.uri().validate('')", "optional.of([\"parse \\\"\\\": empty url\"]) @277"},
          {"format.uuid().validate('123e4567-e89b-12d3-a456-426614174000')", "optional.none() @73"},
          {"format.uuid().validate('123E4567E89B12D3A456426614174000')", "optional.none() @73"},
          {"format.uuid().validate('123e4567-e89b-12d3-a456-42661417400')",
           "optional.of([\"does not match the UUID format\"]) @73"},
          {"format.byte().validate('aGVsbG8=')", "optional.none() @22"},
          {"format.byte().validate('aGVsbG8')", "optional.of([\"invalid base64\"]) @22"},
          {"format.byte().validate('')", "optional.of([\"invalid base64\"]) @22"},
          {"format.date().validate('2024-02-29')", "optional.none() @37"},
          {"format.date().validate('2023-02-29')", "optional.of([\"invalid date\"]) @37"},
          {"format.datetime().validate('2021-01-01T00:00:00.123+05:30')", "optional.none() @55"},
          {"format.datetime().validate('2021-01-01t00:00:00z')", "optional.none() @55"},
          {"format.datetime().validate('2021-01-01T24:00:00Z')",
           "optional.of([\"invalid datetime\"]) @55"},
          {"format.datetime().validate('2021-01-01 00:00:00Z')",
           "optional.of([\"invalid datetime\"]) @55"},
          {"format.datetime().validate('2021-01-01T00:00:00')",
           "optional.of([\"invalid datetime\"]) @37"},
      }),
      "");
}

TEST(CelFormatTest, AreNamed) {
  EXPECT_EQ(Differences({
                {"format.named('uuid')", "optional.of(format.named(\"UUID\")) @1"},
                {"format.named('nope')", "optional.none() @1"},
                {"format.named('uuid').value() == format.uuid()", "true @4"},
                {"format.uuid() == format.date()", "false @3"},
                {"dyn(format.uuid()) == dyn(1)", "error: no such overload @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
