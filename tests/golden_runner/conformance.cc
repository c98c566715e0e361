// Runs CEL's conformance suite in an environment without Kubernetes' restrictions: literals may mix
// types, and constant errors are reported at run time.

#include "conformance.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <deque>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "cel/environment.h"
#include "cel/library/libraries.h"
#include "cel/program.h"
#include "cel_cases.h"
#include "cel_extensions/extensions.h"
#include "cel_values.h"
#include "codec/json.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using codec::Value;

constexpr std::size_t kFailuresShownMax = 10;

struct Reason {
  std::string_view tag;
  std::string_view why;
};
constexpr std::array kReasons{
    Reason{"proto", "needs protobuf messages"},
    Reason{"strong-enums", "needs protobuf enums"},
    Reason{"enums", "needs protobuf enums"},
    Reason{"no-macros", "macros are always on"},
};

/// Returns why the case is skipped, or "" if it is run.
std::string_view SkipReason(const Value& one) {
  for (const Reason& reason : kReasons) {
    if (HasTag(one, reason.tag)) return reason.why;
  }
  return {};
}

/// Returns upstream's result if it differs from the suite, because we follow upstream; else
/// nullptr. For the newest string functions, the result of a newer cel-go counts instead of that of
/// Kubernetes.
const Value* FindDeparture(const Value& one) {
  const Value& kubernetes = *one.Find("k8s_env");
  if (IsTrue(kubernetes.Find("pass"))) return nullptr;
  const Value* const got = kubernetes.Find("got");
  if (HasTag(one, "ext:network")) return got == nullptr ? &kubernetes : got;
  if (got != nullptr && !HasTag(one, "ext:strings")) return got;
  const Value& go = *one.Find("cel_go");
  return IsTrue(go.Find("pass")) ? nullptr : go.Find("got");
}

/// The declarations of a case, and the strings that they refer to.
struct Declarations {
  cel::EnvironmentOptions options;
  std::deque<std::string> texts;
  std::deque<cel::Function> functions;
  cel::Library library{.name = "conformance"};
  std::vector<cel::Function> table;

  std::string_view Keep(std::string text) { return texts.emplace_back(std::move(text)); }
};

/// Converts the type parameter `<T>` of the suite to our form, `T`.
std::string TypeText(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == '<' || c == '>'; });
  return plain;
}

void AddFunctions(const Value& declaration, Declarations& made) {
  for (const Value& overload : declaration.Find("overloads")->items()) {
    std::string signature;
    for (const Value& parameter : overload.Find("params")->items()) {
      signature += (signature.empty() ? "" : ", ") + TypeText(TextOf(&parameter));
    }
    signature += " -> " + TypeText(TextOf(overload.Find("result")));
    made.table.push_back({.id = TextOf(overload.Find("id")),
                          .name = TextOf(declaration.Find("name")),
                          .is_member = IsTrue(overload.Find("instance")),
                          .signature = made.Keep(std::move(signature))});
  }
}

void Declare(const Value& one, Declarations& made) {
  using namespace cel;
  made.options.container = TextOf(one.Find("container"));
  made.options.homogeneous_literals = false;
  made.options.literal_validators = false;
  made.options.libraries = {&kStandardOperatorsLibrary,
                            &kStandardConversionsLibrary,
                            &kStandardTextLibrary,
                            &kStandardTimeLibrary,
                            &kOptionalLibrary,
                            &kStringsLatestLibrary,
                            &kIpLibrary,
                            &kCidrLibrary,
                            &kTwoVariableLibrary,
                            &kBindingsLibrary,
                            &kMathLibrary,
                            &kEncodersLibrary,
                            &kBlockLibrary};
  const codec::Value* const declarations = one.Find("type_env");
  if (declarations == nullptr) return;
  for (const codec::Value& declaration : declarations->items()) {
    if (TextOf(declaration.Find("kind")) == "function") {
      AddFunctions(declaration, made);
      continue;
    }
    made.options.variables.push_back(
        {.name = TextOf(declaration.Find("name")),
         .type = made.Keep(TypeText(TextOf(declaration.Find("type"))))});
  }
  made.library.functions = made.table;
  if (!made.table.empty()) made.options.libraries.push_back(&made.library);
}

/// Expected result of a case: a value, a type or an error.
struct Wanted {
  const Value* value = nullptr;
  std::string_view type;
  bool is_error = false;
};

Wanted WantedOf(const Value& one) {
  const bool is_type = IsTrue(one.Find("check_only"));
  if (const Value* const departure = FindDeparture(one)) {
    return {.value = departure->Find("value"),
            .type = is_type ? TextOf(departure->Find("type")) : std::string_view{},
            .is_error = departure->Find("error") != nullptr};
  }
  const Value& expected = *one.Find("expected");
  return {.value = expected.Find("value"),
          .type = is_type ? TextOf(one.Find("expected_type")) : std::string_view{},
          .is_error = expected.Find("error") != nullptr || expected.Find("any_error") != nullptr};
}

Mismatch CheckType(std::string_view wanted, const cel::Compiled& compiled) {
  cel::TypePool pool;
  const auto want = pool.Parse(wanted);
  if (!want) return want.error().message;
  return Differ("type", cel::OutputText(*want), cel::OutputText(compiled.type));
}

Mismatch CheckValue(const Wanted& want, const cel::Value& got) {
  if (want.is_error) {
    return got.is_error() ? std::nullopt : Mismatch("want an error, got " + ValueText(got));
  }
  // A case without expected result expects true.
  const std::string text = want.value == nullptr ? "bool true" : EncodedValueText(*want.value);
  return Differ("value", text, ValueText(got));
}

Mismatch RunCase(const Value& one) {
  Declarations declarations;
  Declare(one, declarations);
  const std::vector<cel::Variable> variables = declarations.options.variables;
  const auto environment = cel::Environment::Make(std::move(declarations.options));
  if (!environment) return environment.error().message;
  const std::string_view expression = TextOf(one.Find("expr"));
  const auto compiled = IsTrue(one.Find("disable_check"))
                            ? (*environment)->CompileUnchecked(expression)
                            : (*environment)->Compile(expression);
  const Wanted want = WantedOf(one);
  if (!compiled) {
    return want.is_error ? std::nullopt : Mismatch(compiled.error().Text());
  }
  if (!want.type.empty()) return CheckType(want.type, *compiled);
  const auto program = cel::Program::Plan(*compiled, *environment);
  if (!program) {
    return want.is_error ? std::nullopt : Mismatch("plan: " + program.error());
  }
  cel::Arena arena;
  std::vector<cel::Value> values;
  const Value* const bindings = one.Find("bindings");
  for (const cel::Variable& variable : variables) {
    const Value* const bound = bindings == nullptr ? nullptr : bindings->Find(variable.name);
    const auto value = bound == nullptr ? std::nullopt : DecodeValue(*bound, arena);
    values.push_back(value.value_or(cel::Value::Null()));
  }
  cel::Evaluation evaluation;
  return CheckValue(want, evaluation.Evaluate(**program, values).value);
}

bool RunFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  const auto document = codec::ParseJson(std::move(text).str());
  const std::string file = path.filename().string();
  if (!document) {
    std::printf("conformance: %s: %s\n", file.c_str(), document.error().Text().c_str());
    return false;
  }
  std::size_t passed = 0;
  std::size_t total = 0;
  std::size_t departures = 0;
  std::map<std::string_view, std::size_t> skips;
  for (const Value& one : (*document)->root().Find("cases")->items()) {
    if (const std::string_view skipped = SkipReason(one); !skipped.empty()) {
      ++skips[skipped];
      continue;
    }
    const Mismatch mismatch = RunCase(one);
    ++total;
    departures += FindDeparture(one) == nullptr ? 0 : 1;
    passed += mismatch ? 0 : 1;
    if (mismatch && total - passed <= kFailuresShownMax) {
      const std::string id(TextOf(one.Find("id")));
      std::printf("  %s: %s\n", id.c_str(), mismatch->c_str());
    }
  }
  std::printf("conformance: %s %zu/%zu\n", file.c_str(), passed, total);
  if (departures != 0) {
    std::printf("conformance: %s of these %zu as upstream, which departs from the suite\n",
                file.c_str(), departures);
  }
  for (const auto& [why, count] : skips) {
    std::printf("conformance: %s not run %zu: %.*s\n", file.c_str(), count,
                static_cast<int>(why.size()), why.data());
  }
  return passed == total;
}

}  // namespace

bool RunConformance(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  if (error) {
    std::printf("conformance: skipped, there is no %s\n", directory.c_str());
    return true;
  }
  std::ranges::sort(files);
  bool is_passed = true;
  for (const auto& file : files) is_passed &= RunFile(file);
  return is_passed;
}

}  // namespace plimsoll::golden
