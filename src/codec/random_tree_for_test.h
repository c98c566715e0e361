#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "codec/document.h"

/// For property tests: random trees of all kinds of values, with texts that are hard to write.
namespace plimsoll::codec {

inline std::string RandomText() {
  static const std::vector<std::string> kPieces = {
      "",
      "a",
      "name",
      "Z",
      "0",
      "12",
      "1.5",
      "-",
      "--- ",
      "...",
      ":",
      ": ",
      " #",
      "#",
      " ",
      "  ",
      "\n",
      "\n\n",
      "\t",
      "\r",
      "'",
      "\"",
      "\\",
      "{",
      "]",
      ",",
      "&",
      "*",
      "!",
      "|",
      ">",
      "%",
      "@",
      "`",
      "?",
      "yes",
      "null",
      "~",
      "<<",
      "=",
      "0x1f",
      "1e3",
      "1:30",
      "2024-01-02",
      "<",
      "\x01",
      "\x7f",

      "\u00e9",
      "\u65e5",
      "\u2028",
      "\u0085",
      "\ufeff",
      "\ufffd",
      "\U0001f6a2",
      std::string(1, '\0'),
      std::string(90, 'w') + " " + std::string(90, 'v')};
  std::string text;
  const int pieces = *rc::gen::inRange(0, 5);
  for (int piece = 0; piece < pieces; ++piece) text += *rc::gen::elementOf(kPieces);
  return text;
}

/// Numbers are spelled as Go writes them, so that YAML reads back the same digits.
inline Value RandomTree(Document& document, int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 12 : 5)) {
    case 0:
      return Value::Null();
    case 1:
      return Value::Bool(*rc::gen::arbitrary<bool>());
    case 2:
      return Value::Int(*rc::gen::arbitrary<std::int64_t>());
    case 3:
      return Value::Number(*rc::gen::element<const char*>("-0.5", "1.5", "1e-7", "-2.5e+30",
                                                          "18446744073709551615"));
    case 4:
      return document.NewString(RandomText());
    case 5:
    case 6:
    case 7: {
      Value array = document.NewArray();
      const int items = *rc::gen::inRange(0, 6);
      for (int item = 0; item < items; ++item) {
        document.Append(array, RandomTree(document, depth - 1));
      }
      return array;
    }
    default: {
      Value object = document.NewObject();
      const int members = *rc::gen::inRange(0, 6);
      for (int member = 0; member < members; ++member) {
        const Value value = RandomTree(document, depth - 1);
        document.Set(object, document.CopyText(RandomText()), value);
      }
      return object;
    }
  }
}

}  // namespace plimsoll::codec
