#include "cli/manifest/manifest_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

struct FaultCase {
  std::string name;
  std::string text;
  std::string want;  // the first line of standard output
};

class ManifestFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(ManifestFaultTest, IsToldInWordsAboutManifests) {
  const Outcome outcome = RunForTest({"check", "-"}, GetParam().text);
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')), GetParam().want);
  EXPECT_THAT(outcome.out, testing::Not(testing::HasSubstr("Go value")));
}

INSTANTIATE_TEST_SUITE_P(
    All, ManifestFaultTest,
    testing::ValuesIn<FaultCase>({
        {"PasswordFile", "root:x:0:0:root:/root:/bin/bash\nbin:x:1:1::/:/bin/sh\n",
         "<stdin>:1: error: plain text is no Kubernetes object; a manifest needs apiVersion, kind "
         "and metadata"},
        {"Number", "42\n",
         "<stdin>:1: error: a single value is no Kubernetes object; a manifest needs apiVersion, "
         "kind and metadata"},
        {"Null", "null\n",
         "<stdin>:1: error: null is no Kubernetes object; a manifest needs apiVersion, kind and "
         "metadata"},
        {"JsonArray", R"([{"apiVersion": "v1", "kind": "Pod"}])",
         "<stdin>:1: error: a list is no Kubernetes object; a manifest needs apiVersion, kind and "
         "metadata; write its items as documents separated by ---, or as the items of a List"},
        {"BinaryFile",
         std::string("\x7f"
                     "ELF\x02\x01\x01\0\0\0",
                     10),
         "<stdin>:1: error: this is a binary file; a manifest is text in YAML or JSON"},
        {"Latin1", "name: caf\xe9\nkind: Pod\n",
         "<stdin>:1: error: this is no UTF-8 text; a manifest is UTF-8 text in YAML or JSON"},
        {"OtherYaml", "replicas: 3\n",
         "<stdin>:1: error: no Kubernetes object: apiVersion is missing; a manifest needs "
         "apiVersion, kind and metadata, such as `apiVersion: v1`"},
        {"NoKind", "apiVersion: v1\n",
         "<stdin>:1: error: no Kubernetes object: kind is missing; a manifest needs apiVersion, "
         "kind and metadata, such as `kind: Pod`"},
        {"NumberAsVersion", "apiVersion: 1\nkind: Pod\n",
         "<stdin>:1: error: no Kubernetes object: apiVersion must be a text, such as "
         "`apiVersion: v1`"},
        {"EmptyKind", "apiVersion: v1\nkind: ''\n",
         "<stdin>:1: error: no Kubernetes object: kind is empty; a manifest needs apiVersion, kind "
         "and metadata"},
        {"UnknownKind", "apiVersion: v1\nkind: Pood\n",
         "<stdin>:2: error: no kind \"Pood\" is registered for version \"v1\"; did you mean Pod?"},
        {"KindOfAnotherGroup", "apiVersion: app/v1\nkind: Deployment\n",
         "<stdin>:2: error: no kind \"Deployment\" is registered for version \"app/v1\"; "
         "Deployment has apiVersion apps/v1"},
        {"UnknownGroup", "apiVersion: example.com/v1\nkind: Widget\n",
         "<stdin>:2: error: no kind \"Widget\" is registered for version \"example.com/v1\""},
        {"ItemsOfAList", "apiVersion: v1\nkind: List\nitems: [5]\n",
         "<stdin>:3: error: a single value is no Kubernetes object; a manifest needs apiVersion, "
         "kind and metadata"},
        {"FieldOfAnObject", "apiVersion: v1\nkind: Pod\nspec: {priority: high}\n",
         R"(<stdin>:3: error: spec.priority: want a whole number, not the text "high")"},
        {"BrokenYaml", "a: b\n c: [\n",
         "<stdin>:2: error: yaml: line 2: mapping values are not allowed in this context"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::cli
