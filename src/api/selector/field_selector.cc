#include "api/selector/field_selector.h"

#include <algorithm>

#include "base/text/utf8.h"

namespace plimsoll::api {
namespace {

/// Splits at commas that no backslash precedes.
std::vector<std::string_view> SplitTerms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  terms.push_back(text.substr(begin));
  return terms;
}

/// Returns the first UTF-8 character of the text.
std::string_view FirstCharacter(std::string_view text) {
  std::size_t bytes = 1;
  while (bytes < text.size() && IsUtf8Tail(text[bytes])) ++bytes;
  return text.substr(0, bytes);
}

Result<std::string> Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',' || text[i] == '=') {
      return Fail(Reason::BadRequest, "invalid field selector: unescaped character in value: " +
                                          std::to_string(static_cast<int>(text[i])));
    }
    if (text[i] == '\\') {
      ++i;
      if (i >= text.size() || !std::string_view("\\,=").contains(text[i])) {
        return Fail(Reason::BadRequest,
                    "invalid field selector: invalid escape sequence: \\" +
                        std::string(i < text.size() ? FirstCharacter(text.substr(i)) : ""));
      }
    }
    out += text[i];
  }
  return out;
}

/// Splits at the leftmost operator; at one position the longer operator wins.
Result<FieldRequirement> ParseTerm(std::string_view text, std::string_view term) {
  for (std::size_t i = 0; i < term.size(); ++i) {
    const std::string_view rest = term.substr(i);
    for (const std::string_view op : {"!=", "==", "="}) {
      if (!rest.starts_with(op)) continue;
      return FieldRequirement{.field = std::string(term.substr(0, i)),
                              .is_equal = op != "!=",
                              .value = PL_TRY(Unescape(rest.substr(op.size())))};
    }
  }
  return Fail(Reason::BadRequest, "invalid selector: '" + std::string(text) +
                                      "'; can't understand '" + std::string(term) + "'");
}

}  // namespace

Result<FieldSelector> FieldSelector::Parse(std::string_view text) {
  std::vector<std::string_view> terms = SplitTerms(text);
  std::ranges::sort(terms);
  FieldSelector out;
  for (const std::string_view term : terms) {
    if (term.empty()) continue;
    FieldRequirement requirement = PL_TRY(ParseTerm(text, term));
    // A term with an empty field and an empty value has no effect.
    if (requirement.field.empty() && requirement.value.empty()) continue;
    out.requirements_.push_back(std::move(requirement));
  }
  return out;
}

bool FieldSelector::Matches(const StringMap& fields) const {
  return std::ranges::all_of(requirements_, [&](const FieldRequirement& requirement) {
    return (fields.Find(requirement.field).value_or("") == requirement.value) ==
           requirement.is_equal;
  });
}

std::string FieldSelector::Text() const {
  std::string out;
  for (const FieldRequirement& requirement : requirements_) {
    if (!out.empty()) out += ',';
    out += requirement.field;
    out += requirement.is_equal ? "=" : "!=";
    for (const char c : requirement.value) {
      if (c == '\\' || c == ',' || c == '=') out += '\\';
      out += c;
    }
  }
  return out;
}

}  // namespace plimsoll::api
