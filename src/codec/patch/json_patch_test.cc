#include "codec/patch/json_patch.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codec/json.h"

namespace plimsoll::codec {
namespace {

std::unique_ptr<Document> Parse(const std::string& json) {
  auto document = ParseJson(json);
  EXPECT_TRUE(document.has_value()) << json;
  return *std::move(document);
}

Result<std::string> Patched(const std::string& original, const std::string& patch) {
  const auto from = Parse(original);
  const auto change = Parse(patch);
  Document out;
  const Result<Value> result = ApplyJsonPatch(out, from->root(), change->root());
  EXPECT_EQ(WriteJson(from->root()), original);
  if (!result) return std::unexpected(result.error());
  return WriteJson(*result);
}

struct PatchCase {
  std::string name;
  std::string original;
  std::string patch;
  std::string want;  // the result, or the error
  Reason reason = Reason::Invalid;
};

class JsonPatchTest : public testing::TestWithParam<PatchCase> {};

TEST_P(JsonPatchTest, AppliesOrSaysWhy) {
  const PatchCase& test = GetParam();
  const Result<std::string> got = Patched(test.original, test.patch);
  if (got) {
    EXPECT_EQ(*got, test.want);
  } else {
    EXPECT_EQ(got.error().message, test.want);
    EXPECT_EQ(got.error().reason, test.reason);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Operations, JsonPatchTest,
    testing::ValuesIn<PatchCase>({
        {"AddMember", R"({"a":1})", R"([{"op":"add","path":"/b","value":{"c":[2]}}])",
         R"({"a":1,"b":{"c":[2]}})"},
        {"AddItemInTheMiddle", R"([1,3])", R"([{"op":"add","path":"/1","value":2}])", "[1,2,3]"},
        {"AddItemBehindTheLast", R"([1])", R"([{"op":"add","path":"/1","value":2}])", "[1,2]"},
        {"AddItemTooFar", R"([1])", R"([{"op":"add","path":"/2","value":2}])",
         "error in add for path: '/2': Unable to access invalid index: 2: invalid index "
         "referenced"},
        {"AddAtTheStartFromTheEnd", R"([1])", R"([{"op":"add","path":"/-2","value":2}])", "[2,1]"},
        {"AddTooFarFromTheEnd", R"([1])", R"([{"op":"add","path":"/-3","value":2}])",
         "error in add for path: '/-3': Unable to access invalid index: -3: invalid index "
         "referenced"},
        {"AddAtNoIndex", R"([1])", R"([{"op":"add","path":"/x","value":2}])",
         "error in add for path: '/x': value was not a proper array index: 'x': strconv.Atoi: "
         "parsing \"x\": invalid syntax"},
        {"AddWithoutValue", "{}", R"([{"op":"add","path":"/a"}])", R"({"a":null})"},
        {"AddAtTheRoot", "{}", R"([{"op":"add","path":"","value":1}])",
         "add operation does not apply: doc is missing path: \"\": missing value"},
        {"AddBelowAText", R"({"a":"x"})", R"([{"op":"add","path":"/a/b","value":1}])",
         "add operation does not apply: doc is missing path: \"/a/b\": missing value"},
        {"EscapesInSteps", R"({"a/b":{"m~n":1}})",
         R"([{"op":"replace","path":"/a~1b/m~0n","value":2}])", R"({"a/b":{"m~n":2}})"},
        {"EscapesAreReadOnce", R"({"~1":1})", R"([{"op":"remove","path":"/~01"}])", "{}"},
        {"EmptyStep", R"({"":{"":1}})", R"([{"op":"replace","path":"//","value":2}])",
         R"({"":{"":2}})"},
        {"RemoveMissingMember", "{}", R"([{"op":"remove","path":"/a"}])",
         "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value"},
        {"ReplaceAddsAMissingMember", "{}", R"([{"op":"replace","path":"/a","value":1}])",
         R"({"a":1})"},
        {"ReplaceOfAMissingItem", "[]", R"([{"op":"replace","path":"/0","value":1}])",
         "replace operation does not apply: doc is missing key: /0: missing value"},
        {"ReplaceRootByAScalar", "{}", R"([{"op":"replace","path":"","value":1}])",
         "replace operation value must be object or array: %!w(<nil>)"},
        {"ReplaceRootByAList", "{}", R"([{"op":"replace","path":"","value":[1]}])", "[1]"},
        {"MoveWithinAList", "[1,2,3]", R"([{"op":"move","from":"/0","path":"/2"}])", "[2,3,1]"},
        {"MoveWithoutFrom", "{}", R"([{"op":"move","path":"/a"}])",
         "move operation failed to decode from: operation, missing from field: missing value"},
        {"MoveToNowhere", R"({"a":1})", R"([{"op":"move","from":"/a","path":"/b/c"}])",
         "move operation does not apply: doc is missing destination path: /b/c: missing value"},
        {"CopyIsDeep", R"({"a":{"b":1}})",
         R"([{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/b","value":2}])",
         R"({"a":{"b":1},"c":{"b":2}})"},
        {"CopyOfAMissingItem", R"({"a":[]})", R"([{"op":"copy","from":"/a/0","path":"/b"}])",
         "error in copy for from: '/a/0': Unable to access invalid index: 0: invalid index "
         "referenced"},
        {"TestIgnoresOrderOfMembers", R"({"a":{"b":1,"c":2}})",
         R"([{"op":"test","path":"/a","value":{"c":2,"b":1}}])", R"({"a":{"b":1,"c":2}})"},
        {"TestOfTheRoot", R"({"a":1})", R"([{"op":"test","path":"","value":{"a":2}}])",
         "testing value  failed: test failed"},
        {"MissingPassesATestForNull", "{}", R"([{"op":"test","path":"/a","value":null}])", "{}"},
        {"PathThatIsNoText", "{}", R"([{"op":"replace","path":5,"value":1}])",
         "replace operation failed to decode path: json: cannot unmarshal number into Go value of "
         "type string"},
        {"NullIsNoOperationAtAll", "{}", "[null]", "Unexpected kind: unknown"},
        {"NullIsNoPatchAtAll", "{}", "null", "{}"},
        {"ListOfNumbers", "{}", "[1]",
         "json: cannot unmarshal number into Go value of type jsonpatch.Operation",
         Reason::BadRequest},
        {"NoList", "{}", "\"x\"",
         "json: cannot unmarshal string into Go value of type jsonpatch.Patch", Reason::BadRequest},
    }),
    [](const auto& test) { return test.param.name; });

std::string Operations(std::size_t count) {
  std::string patch = "[";
  for (std::size_t i = 0; i < count; ++i) {
    patch += i == 0 ? "" : ",";
    patch += R"({"op":"add","path":"/a","value":1})";
  }
  return patch + "]";
}

TEST(JsonPatchLimitsTest, TenThousandOperationsAreEnough) {
  EXPECT_TRUE(Patched("{}", Operations(kJsonPatchOperationsMax)).has_value());
  const auto more = Patched("{}", Operations(kJsonPatchOperationsMax + 1));
  ASSERT_FALSE(more.has_value());
  EXPECT_EQ(more.error().reason, Reason::RequestEntityTooLarge);
  EXPECT_EQ(more.error().message,
            "The allowed maximum operations in a JSON patch is 10000, got 10001");
}

TEST(JsonPatchWideTest, MembersOfAWideObjectAreFoundAfterEachChange) {
  std::string members;
  for (int i = 10; i < 50; ++i) members += "\"k" + std::to_string(i) + "\":0,";
  members.pop_back();
  const auto got =
      Patched("{" + members + "}",
              R"([{"op":"replace","path":"/k20","value":1},)"
              R"({"op":"remove","path":"/k10"},{"op":"replace","path":"/k30","value":2},)"
              R"({"op":"add","path":"/k10","value":3},{"op":"add","path":"/k10","value":4},)"
              R"({"op":"move","from":"/k11","path":"/new"},)"
              R"({"op":"test","path":"/k11"},{"op":"test","path":"/new","value":0},)"
              R"({"op":"replace","path":"/k49","value":5}])");
  std::string want;
  for (int i = 12; i < 50; ++i) {
    const int value = i == 20 ? 1 : i == 30 ? 2 : i == 49 ? 5 : 0;
    want += "\"k" + std::to_string(i) + "\":" + std::to_string(value) + ",";
  }
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(*got, "{" + want + R"("k10":4,"new":0})");
}

TEST(JsonPatchLimitsTest, CopiesCannotGrowWithoutEnd) {
  std::string patch = "[";
  for (int i = 0; i < 40; ++i) patch += R"({"op":"copy","from":"/a","path":"/a/-"},)";
  patch.back() = ']';
  const auto got = Patched(R"({"a":["0123456789"]})", patch);
  ASSERT_FALSE(got.has_value());
  EXPECT_TRUE(got.error().message.starts_with("Unable to complete the copy"))
      << got.error().message;
}

TEST(JsonPatchLimitsTest, MovesCannotPileUpADeepTree) {
  // Chains of a hundred objects, each moved to the end of the next.
  const auto chain = [](const std::string& end) {
    std::string json;
    for (int i = 0; i < 100; ++i) json += R"({"x":)";
    return json + end + std::string(100, '}');
  };
  std::string path;
  for (int i = 0; i < 100; ++i) path += "/x";
  const auto got =
      Patched(R"({"a":)" + chain("{}") + R"(,"b":)" + chain("{}") + R"(,"c":)" + chain("{}") + "}",
              R"([{"op":"move","from":"/a","path":"/b)" + path +
                  R"(/x"},{"op":"move","from":"/b","path":"/c)" + path + R"(/x"}])");
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().message, "exceeded max depth");
}

}  // namespace
}  // namespace plimsoll::codec
