#include "mutation/odd_values.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "codec/json.h"
#include "mutation/places.h"

namespace plimsoll::mutation {
namespace {

constexpr std::array<std::string_view, 74> kValues = {
    "null",
    "null",
    "null",
    "null",
    "null",
    "null",
    "null",
    "null",  // the most common mistake
    "true",
    "false",
    "0",
    "-1",
    "1",
    "3.5",
    "1e400",
    "-0",
    "1e-400",
    "2147483647",
    "2147483648",
    "-2147483649",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "123456789012345678901234567890",
    R"("")",
    R"("a")",
    R"("\u0000")",
    R"("\ud800")",
    R"("é")",
    R"("a/b")",
    R"("../..")",
    R"("*")",
    R"("-1")",
    R"("100%")",
    R"("-100%")",
    R"("2147483648%")",
    R"("99999999999999999999Ei")",
    R"("1e999999999")",
    R"("0001-01-01T00:00:00Z")",
    R"("9999-12-31T23:59:59Z")",
    R"("true")",
    R"("{}")",
    R"("1.2.3")",
    R"("Exists")",
    R"("Lt")",
    R"("NoExecute")",
    "[]",
    "{}",
    "[null]",
    "[[]]",
    "[{}]",
    R"(["a"])",
    R"(["a","a"])",
    "[0]",
    "[true]",
    R"([{"name":"a"},{"name":"a"}])",
    R"([{"name":null}])",
    R"([{"name":{}},{"name":[]}])",
    R"({"":null})",
    R"({"a":null})",
    R"({"a":{}})",
    R"({"a":"b"})",
    R"({"name":null})",
    R"({"f:a":{}})",
    R"({"k:{\"name\":\"a\"}":{".":{}}})",
    R"({"v:[]":{},"i:-1":{},"k:x":null})",
    R"({"f:":{"v:1":0}})",
    R"({"$patch":"delete"})",
    R"({"$patch":"replace"})",
    R"({"$patch":null})",
    R"({"$retainKeys":[null]})",
    R"([{"$patch":"delete","name":null}])",
    R"([{"$patch":"replace"}])",
};

constexpr std::array<std::string_view, 40> kTexts = {
    "",
    "a",
    "A",
    "-",
    ".",
    "..",
    "/",
    "*",
    "a.b",
    "a/b",
    "a/b/c",
    "../..",
    "a b",
    "a\nb",
    {"\0", 1},
    "\xef\xbf\xbd",
    "é",
    "0",
    "1",
    "-1",
    "007",
    "1.5",
    "100%",
    "1Gi",
    "1e3",
    "-5m",
    "99999999999999999999Ei",
    "true",
    "None",
    "In",
    "Exists",
    "Lt",
    "Gt",
    "NoExecute",
    "NoSchedule",
    "1.2.3",
    "2026-01-01T00:00:00Z",
    "10.0.0.1",
    "fe80::1%eth0",
    "device.attributes[\"a\"].b == 1",
};
constexpr std::array<std::int64_t, 13> kNumbers = {
    0,
    1,
    -1,
    2,
    65535,
    65536,
    2147483647,
    -2147483648,
    4294967296,
    9223372036854775807,
    -9223372036854775807 - 1,
    9223372036,
    31536000000,
};

std::string Repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

/// Returns the values, parsed once. The caller must clone them.
const std::vector<std::unique_ptr<codec::Document>>& Parsed() {
  static const auto kParsed = [] {
    std::vector<std::unique_ptr<codec::Document>> out;
    const auto add = [&](std::string text) {
      auto parsed = codec::ParseJson(std::move(text));
      PL_ASSERT(parsed.has_value());
      out.push_back(*std::move(parsed));
    };
    for (const std::string_view text : kValues) {
      if (!text.empty()) add(std::string(text));
    }
    add("\"" + std::string(300, 'a') + "\"");
    // A body may be 200 levels deep, including the object around this value.
    for (const std::size_t depth : {150u, 190u, 195u, 197u, 198u, 199u}) {
      add(Repeated("[", depth) + Repeated("]", depth));
    }
    add(Repeated(R"({"a":)", 150) + "1" + Repeated("}", 150));
    add("[" + Repeated(R"({"name":"a","key":"a","value":"a"},)", 200) + "{}]");
    return out;
  }();
  return kParsed;
}

}  // namespace

codec::Value OddValue(codec::Document& document, Random& random) {
  const auto& all = Parsed();
  return document.Clone(all[random.Below(all.size())]->root());
}

codec::Value UnusualValue(codec::Document& document, Random& random, const api::Shape& shape) {
  using api::ShapeKind;
  switch (shape.kind) {
    case ShapeKind::String:
    case ShapeKind::Bytes:
    case ShapeKind::Quantity:
    case ShapeKind::Time:
    case ShapeKind::MicroTime:
      if (random.Chance(0.1)) return document.NewString(std::string(random.Below(2000), 'a'));
      return codec::Value::String(kTexts[random.Below(kTexts.size())]);
    case ShapeKind::IntOrString:
      if (random.Chance(0.5)) return codec::Value::String(kTexts[random.Below(kTexts.size())]);
      [[fallthrough]];
    case ShapeKind::Int32:
    case ShapeKind::Int64:
      return codec::Value::Int(kNumbers[random.Below(kNumbers.size())]);
    case ShapeKind::Bool:
      return codec::Value::Bool(random.Chance(0.5));
    case ShapeKind::Any:
      return OddValue(document, random);
    case ShapeKind::Struct: {
      const int depth = static_cast<int>(random.Below(4));
      return Plausible(document, shape, {}, depth);
    }
    case ShapeKind::List: {
      codec::Value list = document.NewArray();
      const std::uint64_t size = random.Chance(0.02) ? 300 : random.Below(4);
      const codec::Value item = UnusualValue(document, random, *shape.element);
      for (std::uint64_t i = 0; i < size; ++i) {
        document.Append(list,
                        random.Chance(0.5) ? item : UnusualValue(document, random, *shape.element));
      }
      return list;
    }
    case ShapeKind::Map: {
      codec::Value map = document.NewObject();
      for (std::uint64_t left = random.Below(4); left > 0; --left) {
        document.Set(map, kTexts[random.Below(kTexts.size())],
                     UnusualValue(document, random, *shape.element));
      }
      return map;
    }
  }
  return {};
}

void Damage(std::string& text, Random& random) {
  if (text.empty()) return;
  const std::size_t at = random.Below(text.size());
  switch (random.Below(8)) {
    case 0:
      text.resize(at);
      break;
    case 1:
      text[at] = static_cast<char>(random.Below(256));
      break;
    case 2:
      text.insert(at, 1, '\0');
      break;
    case 3:
      text.insert(at, "\xff\xc0\x80");
      break;
    case 4:
      text.insert(at, text.substr(at / 2, random.Below(64)));
      break;
    case 5:
      text.insert(at, Repeated("[", 5000));
      break;
    case 6:
      text.insert(at, Repeated("{\"a\":", 5000));
      break;
    default:
      text.erase(at, random.Below(16) + 1);
      break;
  }
}

}  // namespace plimsoll::mutation
