#include "apiserver/write/write_target.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

struct TargetCase {
  std::string name;
  std::string query;
  OptionsKind kind = OptionsKind::CreateOptions;
  bool is_apply = false;
  std::string message;
};

class WriteTargetRefusalTest : public testing::TestWithParam<TargetCase> {};

constexpr std::string_view kUserAgent = "kubectl/v1.33.0 (linux/amd64)";

api::Answer<WriteTarget> Read(const ResourceTable& table, const std::string& query,
                              OptionsKind kind, bool is_apply) {
  const std::string target = "/api/v1/namespaces/default/pods?" + query;
  ApiRequest request({.method = "POST", .target = target}, ParseRequest("POST", target, table));
  request.http.headers.Add("User-Agent", std::string(kUserAgent));
  return ReadWriteTarget(request, kind, is_apply);
}

TEST_P(WriteTargetRefusalTest, Says) {
  const TargetCase& test = GetParam();
  const ResourceTable table;
  const auto got = Read(table, test.query, test.kind, test.is_apply);
  ASSERT_FALSE(got.has_value());
  EXPECT_EQ(got.error().code, 422);
  EXPECT_EQ(got.error().message, test.message);
}

INSTANTIATE_TEST_SUITE_P(
    All, WriteTargetRefusalTest,
    testing::ValuesIn<TargetCase>({
        {"Validation", "fieldValidation=Loose", OptionsKind::CreateOptions, false,
         R"(CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "Loose": )"
         R"(supported values: "", "Ignore", "Strict", "Warn")"},
        {"DryRun", "dryRun=All&dryRun=x", OptionsKind::UpdateOptions, false,
         R"(UpdateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["All","x"]: )"
         R"(supported values: "All")"},
        {"LongManager", "fieldManager=" + std::string(129, 'a'), OptionsKind::CreateOptions, false,
         R"(CreateOptions.meta.k8s.io "" is invalid: fieldManager: Too long: may not be more than )"
         "128 bytes"},
        {"UnprintableManager", "fieldManager=a%07", OptionsKind::CreateOptions, false,
         R"(CreateOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\a": should )"
         "only contain printable characters"},
        {"ApplyWithoutManager", "", OptionsKind::PatchOptions, true,
         R"(PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for )"
         "apply patch"},
        {"ForcedPatch", "force=true", OptionsKind::PatchOptions, false,
         R"(PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for )"
         "non-apply patch"},
    }),
    [](const auto& test) { return test.param.name; });

TEST(WriteTargetTest, ReadsWhatTheClientWants) {
  const ResourceTable table;
  const auto plain = Read(table, "", OptionsKind::CreateOptions, false);
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(plain->field_manager, "kubectl");
  EXPECT_EQ(plain->field_validation, api::FieldValidation::Warn);
  EXPECT_FALSE(plain->is_dry_run);
  const auto full =
      Read(table, "fieldManager=m%20%22q%22&dryRun=All&fieldValidation=Strict&force=true",
           OptionsKind::PatchOptions, true);
  ASSERT_TRUE(full.has_value());
  EXPECT_EQ(full->field_manager, "m \"q\"");
  EXPECT_EQ(full->field_validation, api::FieldValidation::Strict);
  EXPECT_TRUE(full->is_dry_run);
  EXPECT_TRUE(full->is_forced);
}

TEST(WriteTargetTest, AManagerIsPrintableAndShort) {
  EXPECT_EQ(ManagerFromUserAgent("a\x01"
                                 "b/c"),
            "ab");
  EXPECT_EQ(ManagerFromUserAgent(std::string(200, 'x')), std::string(128, 'x'));
  EXPECT_EQ(ManagerFromUserAgent(""), "");
}

}  // namespace
}  // namespace plimsoll::apiserver
