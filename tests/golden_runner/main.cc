// Runs the golden cases: every case in every JSON file (plain or .json.gz) of a known kind in the
// golden directory.

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "codec/json.h"
#include "conformance.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

constexpr std::size_t kMismatchesShownMax = 10;
// Golden files are trusted, so that they may be large.
constexpr codec::ParseLimits kLimits{
    .bytes_max = 1u << 30, .depth_max = 200, .values_max = 1u << 28};

struct Tally {
  std::size_t passed = 0;
  std::size_t total = 0;
  std::map<std::string_view, std::size_t> skipped;  // by decision
};

const Check* FindCheck(std::string_view kind) {
  for (const auto& checks :
       {BaseChecks(), SelectorChecks(), ValidationChecks(), DeviceValidationChecks(),
        PodSecurityChecks(), MatchChecks(), PatchChecks(), ScheduleChecks(), EvictionChecks(),
        DeviceAllocationChecks(), DeviceEvictionChecks()}) {
    const auto found = std::ranges::find(checks, kind, &Check::kind);
    if (found != checks.end()) return &*found;
  }
  return nullptr;
}

/// Each case gets its own document, so that no case affects the next.
void RunCase(const Check& check, const codec::Value& source, Tally& tally) {
  codec::Document document;
  document.root() = document.Clone(source);
  codec::Value& root = document.root();
  codec::Value* input = root.Find("input");
  const codec::Value* expect = root.Find("expect");
  const codec::Value* id = root.Find("id");
  const std::string_view name = id != nullptr && id->is_string() ? id->text() : "?";
  if (input == nullptr || expect == nullptr) {
    ++tally.total;
    std::printf("  %.*s: a case needs input and expect\n", static_cast<int>(name.size()),
                name.data());
    return;
  }
  Case one{name, document, *input, *expect};
  if (check.skip != nullptr) {
    if (const std::string_view decision = check.skip(one); !decision.empty()) {
      ++tally.skipped[decision];
      return;
    }
  }
  ++tally.total;
  const Mismatch mismatch = check.run(one);
  if (!mismatch) {
    ++tally.passed;
  } else if (tally.total - tally.passed <= kMismatchesShownMax) {
    std::printf("  %.*s: %s\n", static_cast<int>(name.size()), name.data(), mismatch->c_str());
  }
}

enum class FileResult { Passed, Failed, NotOurs };

const FormatCheck* FindFormat(const codec::Value* format) {
  if (format == nullptr || !format->is_string()) return nullptr;
  const auto checks = CelChecks();
  const auto found = std::ranges::find(checks, format->text(), &FormatCheck::format);
  return found == checks.end() ? nullptr : &*found;
}

void RunFormat(const FormatCheck& check, const codec::Value& header, const codec::Value& cases,
               Tally& tally) {
  for (const codec::Value& one : cases.items()) {
    ++tally.total;
    const Mismatch mismatch = check.run(header, one);
    if (!mismatch) {
      ++tally.passed;
    } else if (tally.total - tally.passed <= kMismatchesShownMax) {
      const codec::Value* const id = one.Find("id");
      const std::string name(id != nullptr && id->is_string() ? id->text() : "?");
      std::printf("  %s: %s\n", name.c_str(), mismatch->c_str());
    }
  }
}

/// Returns the text of a file, which may be compressed; "" if it cannot be read.
std::string ReadText(const std::filesystem::path& path) {
  std::string text;
  gzFile in = gzopen(path.c_str(), "rb");
  if (in == nullptr) return text;
  std::array<char, 1 << 16> chunk{};
  for (int got = 0; (got = gzread(in, chunk.data(), chunk.size())) > 0;) {
    text.append(chunk.data(), static_cast<std::size_t>(got));
  }
  gzclose(in);
  return text;
}

FileResult RunFile(const std::filesystem::path& path, const std::string& file) {
  const auto document = codec::ParseJson(ReadText(path), kLimits);
  if (!document) {
    std::printf("golden: %s: %s\n", file.c_str(), document.error().Text().c_str());
    return FileResult::Failed;
  }
  const codec::Value* kind = (*document)->root().Find("kind");
  const codec::Value* cases = (*document)->root().Find("cases");
  const Check* check = kind != nullptr && kind->is_string() ? FindCheck(kind->text()) : nullptr;
  const FormatCheck* format = FindFormat((*document)->root().Find("format"));
  if ((check == nullptr && format == nullptr) || cases == nullptr) return FileResult::NotOurs;

  Tally tally;
  if (format != nullptr) {
    RunFormat(*format, (*document)->root(), *cases, tally);
  } else {
    for (const codec::Value& source : cases->items()) RunCase(*check, source, tally);
  }
  for (const auto& [decision, count] : tally.skipped) {
    std::printf("golden: %s skipped %zu by decision %.*s\n", file.c_str(), count,
                static_cast<int>(decision.size()), decision.data());
  }
  std::printf("golden: %s %zu/%zu\n", file.c_str(), tally.passed, tally.total);
  return tally.passed == tally.total ? FileResult::Passed : FileResult::Failed;
}

int RunDirectory(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(".json") || name.ends_with(".json.gz")) files.push_back(entry.path());
  }
  std::error_code none;  // the directory may be missing
  for (const auto& entry : std::filesystem::directory_iterator(directory / "cel" / "k8s", none)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (error) {
    std::printf("golden: %s: %s\n", directory.c_str(), error.message().c_str());
    return 1;
  }
  std::ranges::sort(files);
  std::size_t ran = 0;
  bool failed = false;
  for (const auto& file : files) {
    const FileResult result = RunFile(file, std::filesystem::relative(file, directory).string());
    ran += result != FileResult::NotOurs;
    failed |= result == FileResult::Failed;
  }
  if (ran == 0) std::printf("golden: no file of a known kind in %s\n", directory.c_str());
  return failed || ran == 0 ? 1 : 0;
}

}  // namespace

std::string_view TextAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

std::int64_t IntAt(const codec::Value& object, std::string_view key) {
  const codec::Value* const value = object.Find(key);
  return value != nullptr && value->is_int() ? value->AsInt() : 0;
}

Mismatch Differ(std::string_view what, std::string_view want, std::string_view got) {
  if (want == got) return std::nullopt;
  return std::string(what) + ": want " + std::string(want) + ", got " + std::string(got);
}

Mismatch DifferJson(std::string_view what, const codec::Value& want, const std::string& got) {
  const auto parsed = codec::ParseJson(got, kLimits);
  if (parsed && (*parsed)->root() == want) return std::nullopt;
  return Differ(what, codec::WriteJson(want), got);
}

}  // namespace plimsoll::golden

int main() {
  using namespace plimsoll::golden;
  const char* const given = std::getenv("PLIMSOLL_VECTORS");
  const bool is_given = given != nullptr && *given != '\0';
  const int result = RunDirectory(is_given ? given : PLIMSOLL_GOLDEN_DIRECTORY);
  // The conformance suite is not part of this repository. It runs if it is found beside it.
  const bool conforms = RunConformance(is_given ? std::filesystem::path(given) / "cel/conformance"
                                                : PLIMSOLL_CONFORMANCE_DIRECTORY);
  return conforms ? result : 1;
}
