#include "cli/check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/run_for_test.h"

namespace plimsoll::cli {
namespace {

using testing::HasSubstr;

constexpr std::string_view kPod = R"(apiVersion: v1
kind: Pod
metadata:
  name: p
spec:
  tolerations:
  - {key: sla, operator: Gt, value: "950", effect: NoSchedule}
  containers:
  - {name: c, image: c}
)";

constexpr std::string_view kNode = R"(---
apiVersion: v1
kind: Node
metadata: {name: node-1}
spec:
  taints:
  - {key: sla, value: "950", effect: NoSchedule}
)";

// The first lines of a broken manifest contain the flags to check it with (`# flags:`) and exactly
// the expected messages in order (`# want:`).
struct Broken {
  std::string path;
  std::vector<std::string> flags;
  std::vector<std::string> want;
};

std::vector<Broken> ReadBroken() {
  std::vector<Broken> all;
  for (const auto& entry : std::filesystem::directory_iterator(InTree("tests/check/broken"))) {
    Broken one{.path = entry.path().string(), .flags = {}, .want = {}};
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("# want: ")) one.want.push_back(line.substr(8));
      if (line.starts_with("# flags: ")) one.flags.push_back(line.substr(9));
    }
    all.push_back(std::move(one));
  }
  std::ranges::sort(all, {}, &Broken::path);
  return all;
}

/// Returns the messages of the errors, without file and line.
std::vector<std::string> Errors(const std::string& out) {
  std::vector<std::string> messages;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t mark = line.find(": error: ");
    if (mark != std::string::npos) messages.push_back(line.substr(mark + 9));
  }
  return messages;
}

// The words are the API server's, except for values of a wrong type.
TEST(CheckTest, RefusesBrokenManifestsWithTheirErrors) {
  const std::vector<Broken> all = ReadBroken();
  EXPECT_GE(all.size(), 30u);
  for (const Broken& one : all) {
    std::vector<std::string> words{"check", one.path};
    words.insert(words.end(), one.flags.begin(), one.flags.end());
    const Outcome outcome = RunForTest(words);
    EXPECT_EQ(outcome.code, kExitFindings) << one.path << outcome.err;
    EXPECT_EQ(Errors(outcome.out), one.want) << one.path;
    EXPECT_FALSE(one.want.empty()) << one.path;
  }
}

TEST(CheckTest, TakesTheDocumentsExamples) {
  std::vector<std::string> words{"check", InTree("examples")};
  for (const std::string_view story :
       {"blog/01-spot-instances", "blog/02-gpu-tiers", "blog/03-cost", "blog/04-disk-iops",
        "kep-5471/01-spot-nodes", "kep-5471/02-inference-slo", "kep-5471/03-training-roles",
        "kep-5471/04-gpu-claim", "kep-5471/05-error-budget", "kep-5500/01-key-prefix",
        "kep-5500/02-kernel-version", "kep-5500/03-zones-by-pattern", "kep-5721/01-kubelet-version",
        "kep-5721/02-old-cni", "kep-5721/03-container-runtime", "kep-5721/04-kernel-volume"}) {
    words.push_back(InTree("tests/stories/" + std::string(story)));
  }
  const Outcome outcome = RunForTest(words);
  EXPECT_EQ(outcome.code, kExitOk) << outcome.out << outcome.err;
  EXPECT_EQ(Errors(outcome.out), std::vector<std::string>{});
  // Typical mistakes of readers of the design documents: "SLA >= 950" written as Gt 950, and a
  // kernel suffix that is parsed as a pre-release.
  EXPECT_THAT(outcome.out, HasSubstr("Gt 950 excludes 950; Gt 949 includes it"));
  EXPECT_THAT(outcome.out, HasSubstr("5.10.0-26-amd64 sorts below 5.10.0"));
}

TEST(CheckTest, NamesTheLine) {
  std::string text(kPod);
  text.replace(text.find("\"950\""), 5, "\"095\"");
  const Outcome outcome = RunForTest({"check", "-"}, text);
  EXPECT_THAT(outcome.out, testing::StartsWith("<stdin>:7: error: Pod \"p\" is invalid: "
                                               "spec.tolerations[0].value: Invalid value: "));
  EXPECT_THAT(outcome.out, HasSubstr("\n1 object: 1 error\n"));
}

TEST(CheckTest, HintsFailOnlyWhenAskedTo) {
  const std::string text = std::string(kPod) + std::string(kNode);
  EXPECT_EQ(RunForTest({"check", "-"}, text).code, kExitOk);
  const Outcome strict = RunForTest({"check", "-", "--strict-hints"}, text);
  EXPECT_EQ(strict.code, kExitFindings);
  EXPECT_THAT(strict.out, HasSubstr("<stdin>:7: hint: Pod \"p\": spec.tolerations[0].value: Gt 950 "
                                    "excludes 950; Gt 949 includes it (node node-1 has 950)\n"
                                    "2 objects: valid, 1 hint\n"));
}

TEST(CheckTest, SpeaksJson) {
  const Outcome outcome =
      RunForTest({"check", "-", "-o", "json"}, std::string(kPod) + std::string(kNode));
  EXPECT_EQ(outcome.code, kExitOk);
  EXPECT_THAT(outcome.out, HasSubstr("\"objects\": 2"));
  EXPECT_THAT(outcome.out, HasSubstr("\"kind\": \"StrictThreshold\""));
  EXPECT_THAT(outcome.out, HasSubstr("\"line\": 7"));
}

TEST(CheckTest, UnknownFieldsAreWarningsWhenAskedTo) {
  const std::string text = std::string(kPod) + "  shoeSize: 42\n";
  const Outcome warned = RunForTest({"check", "-", "--field-validation=warn"}, text);
  EXPECT_EQ(warned.code, kExitOk) << warned.out;
  EXPECT_THAT(warned.out, HasSubstr("warning: unknown field \"spec.shoeSize\""));
  const Outcome ignored = RunForTest({"check", "-", "--field-validation=ignore"}, text);
  EXPECT_THAT(ignored.out, testing::Not(HasSubstr("shoeSize")));
}

TEST(CheckTest, ABrokenDocumentDoesNotHideTheNext) {
  const Outcome outcome =
      RunForTest({"check", "-"}, "apiVersion: v1\nkind: Pood\n---\n" + std::string(kPod));
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, HasSubstr("2 objects: 1 error"));
}

TEST(CheckTest, TextThatIsNoYamlNamesTheLine) {
  const Outcome outcome = RunForTest({"check", "-"}, "a: b\n c: [\n");
  EXPECT_EQ(outcome.code, kExitFindings);
  EXPECT_THAT(outcome.out, HasSubstr("yaml: line "));
}

TEST(CheckExitCodeTest, AnUnreadableFileIsAFailureAndNoWrongUse) {
  EXPECT_EQ(RunForTest({"check", "/none/pod.yaml"}).code, kExitFindings);
  EXPECT_EQ(RunForTest({"check", "-o", "wide", "-"}).code, kExitUsage);
}

}  // namespace
}  // namespace plimsoll::cli
