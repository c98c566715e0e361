#include <fmt/format.h>

#include <array>
#include <charconv>

#include "base/go_text.h"
#include "base/quantity.h"
#include "base/semver.h"
#include "codec/json.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using codec::Value;

std::string_view TextOf(const Value* value) {
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

Mismatch UnknownOperation(std::string_view operation) {
  return "unknown op " + std::string(operation);
}

/// Returns the dot-separated parts of a text as a JSON list; empty for an empty text.
template <class Print>
std::string PartsJson(std::string_view text, Print print) {
  std::string out = "[";
  while (!text.empty()) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    if (out.size() > 1) out += ',';
    out += print(text.substr(0, dot));
    text.remove_prefix(std::min(dot + 1, text.size()));
  }
  return out + "]";
}

int SignOf(std::partial_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

std::string PrereleasePartJson(std::string_view part) {
  if (IsSemverNumber(part)) return fmt::format(R"({{"num":"{}"}})", part);
  return fmt::format(R"({{"str":{}}})", GoJsonQuote(part));
}

/// Returns `"strict":{…}` or `"strictError":"…"`.
std::string SemverJson(std::string_view name, const Result<Semver>& version) {
  if (!version) return fmt::format(R"("{}Error":{})", name, GoJsonQuote(version.error().message));
  return fmt::format(
      R"("{}":{{"major":"{}","minor":"{}","patch":"{}","pre":{},"build":{},"string":{},"finalized":{}}})",
      name, version->major, version->minor, version->patch,
      PartsJson(version->prerelease, PrereleasePartJson), PartsJson(version->build, GoJsonQuote),
      GoJsonQuote(version->Text()), GoJsonQuote(version->Finalized()));
}

Mismatch CheckSemverCompare(const Case& one) {
  const Result<Semver> a = ParseSemverTolerant(TextOf(one.input.Find("a")));
  const Result<Semver> b = ParseSemverTolerant(TextOf(one.input.Find("b")));
  if (!a || !b) return "a side does not parse";
  const std::weak_ordering order = Compare(*a, *b);
  return DifferJson(
      "answer", one.expect,
      fmt::format(R"({{"cmp":{},"lt":{},"eq":{},"gt":{},"le":{},"ge":{},"ne":{}}})", SignOf(order),
                  order < 0, order == 0, order > 0, order <= 0, order >= 0, order != 0));
}

Mismatch CheckSemver(Case& one) {
  const std::string_view operation = TextOf(one.input.Find("op"));
  if (operation == "compare") return CheckSemverCompare(one);
  if (operation != "parse") return UnknownOperation(operation);
  const std::string_view text = TextOf(one.input.Find("s"));
  return DifferJson("answer", one.expect,
                    fmt::format("{{{},{}}}", SemverJson("tolerant", ParseSemverTolerant(text)),
                                SemverJson("strict", ParseSemver(text))));
}

std::string_view FormatName(Quantity::Format format) {
  switch (format) {
    case Quantity::Format::DecimalExponent:
      return "DecimalExponent";
    case Quantity::Format::BinarySI:
      return "BinarySI";
    case Quantity::Format::DecimalSI:
      return "DecimalSI";
  }
  return "";
}

/// Returns the expected text if it denotes the same double, because a double has many texts.
std::string DoubleJson(double number, const Value* want) {
  const std::string text = want != nullptr ? codec::WriteJson(*want) : "";
  double wanted = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wanted);
  const bool is_read = error == std::errc{} && end == text.data() + text.size();
  return is_read && wanted == number ? text : fmt::format("{}", number);
}

Mismatch CheckQuantityParse(const Case& one) {
  const std::string_view source = TextOf(one.input.Find("s"));
  const Result<Quantity> quantity = Quantity::Parse(source);
  if (!quantity) {
    std::string answer = fmt::format(R"({{"error":{})", GoJsonQuote(quantity.error().message));
    // JSON drops blanks around a text, so it reads some texts that the parser refuses.
    if (one.expect.Find("jsonRoundTrip") != nullptr) {
      const Result<Quantity> read = Quantity::FromScalar(source);
      answer += R"(,"jsonRoundTrip":)" + (read ? GoJsonQuote(read->Text()) : std::string("null"));
    }
    return DifferJson("answer", one.expect, answer + "}");
  }
  const Result<Quantity> again = Quantity::FromScalar(quantity->Text());
  const std::optional<std::int64_t> whole = quantity->AsInt64();
  // If the value does not fit, upstream's number is arbitrary, so it is not compared.
  const std::string whole_text =
      whole ? std::to_string(*whole) : std::string(TextOf(one.expect.Find("asInt64")));
  return DifferJson(
      "answer", one.expect,
      fmt::format(
          R"({{"string":{},"canonical":{},"jsonMarshal":{},"jsonRoundTrip":{},"dec":{},"format":"{}",)"
          R"("value":"{}","milliValue":"{}","asInt64":"{}","asInt64ok":{},"approxFloat":{},)"
          R"("sign":{},"isZero":{}}})",
          GoJsonQuote(quantity->Text()), GoJsonQuote(quantity->Canonical()),
          GoJsonQuote(GoJsonQuote(quantity->Text())),
          again ? GoJsonQuote(again->Text()) : std::string("null"), GoJsonQuote(quantity->Digits()),
          FormatName(quantity->format()), quantity->Value(), quantity->MilliValue(), whole_text,
          whole.has_value(),
          DoubleJson(quantity->AsApproximateDouble(), one.expect.Find("approxFloat")),
          quantity->sign(), quantity->is_zero()));
}

Mismatch CheckQuantityPair(const Case& one) {
  const Result<Quantity> a = Quantity::Parse(TextOf(one.input.Find("a")));
  const Result<Quantity> b = Quantity::Parse(TextOf(one.input.Find("b")));
  if (!a || !b) return "a side does not parse";
  Quantity sum = *a;
  sum.Add(*b);
  Quantity difference = *a;
  difference.Sub(*b);
  return DifferJson("answer", one.expect,
                    fmt::format(R"({{"add":{},"addFormat":"{}","sub":{},"cmp":{},"equal":{}}})",
                                GoJsonQuote(sum.Text()), FormatName(sum.format()),
                                GoJsonQuote(difference.Text()), SignOf(a->Compare(*b)), *a == *b));
}

Mismatch CheckQuantity(Case& one) {
  const std::string_view operation = TextOf(one.input.Find("op"));
  if (operation == "parse") return CheckQuantityParse(one);
  if (operation == "pair") return CheckQuantityPair(one);
  return UnknownOperation(operation);
}

constexpr std::array kChecks = {
    Check{.kind = "semver", .run = CheckSemver},
    Check{.kind = "quantity", .run = CheckQuantity},
};

}  // namespace

std::span<const Check> BaseChecks() { return kChecks; }

}  // namespace plimsoll::golden
