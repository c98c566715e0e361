// Measures hostile expressions: time per unit of cost, compile time of 10 KiB at the worst,
// and memory of the cache after 100,000.
//
//   cel_hostile_bench [--strict]   prints the tables; the last column tells if the limit was
//                                  kept. With --strict, an exceeded limit is a failure

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "cel/cache.h"
#include "cel/kubernetes.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

constexpr std::size_t kLengthMax = 10'240;
constexpr double kNanosecondsPerCostMax = 20;
constexpr double kCompileMillisecondsMax = 50;
/// Time allowed in addition to that of the cost, for an evaluation that was cancelled.
constexpr double kCancelledMillisecondsMax = 50;
constexpr int kRounds = 5;
constexpr std::uint64_t kWorthMeasuring = 10'000;

struct Subject {
  std::string_view name;
  std::string expression;
};

std::string Repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

/// Repeats the text up to the maximum length of a toleration's expression.
std::string Filled(std::string_view begin, std::string_view text, std::string_view end) {
  const std::size_t room = kLengthMax - begin.size() - end.size();
  return std::string(begin) + Repeated(text, room / text.size()) + std::string(end);
}

std::string Nested(std::string_view before, std::string_view inside, std::string_view after,
                   std::size_t depth) {
  return Repeated(before, depth) + std::string(inside) + Repeated(after, depth);
}

/// Formats a thousand clauses with a thousand times the same value.
std::string Formatted(std::string_view clause, std::string_view value) {
  const std::string values = Repeated(std::string(value) + ",", 999) + std::string(value);
  return "lists.range(300).all(x, '" + Repeated(clause, 1000) + "'.format([" + values + "]) != '')";
}

/// Returns the shortest CPU time of several rounds, in nanoseconds.
template <class Run>
double Time(Run run) {
  double best = 1e300;
  for (int round = 0; round < kRounds; ++round) {
    const std::clock_t start = std::clock();
    run();
    const auto ticks = static_cast<double>(std::clock() - start);
    best = std::min(best, ticks * 1e9 / CLOCKS_PER_SEC);
  }
  return best;
}

const char* Verdict(bool is_kept, bool& all_kept) {
  all_kept = all_kept && is_kept;
  return is_kept ? "kept" : "MISSED";
}

/// Texts that are created once and inspected repeatedly at a cost of one each.
std::vector<Subject> RepeatedSubjects() {
  const std::string text(1000, 'a');
  const std::string large = "['" + text + "'.replace('a', '" + text + "')].all(t, ";
  const std::string digits = "['" + std::string(9000, '1') + "'].all(t, ";
  const std::string loop = "lists.range(30000).all(x, ";
  return {
      {"size of a large text", large + loop + "t.size() > 0))"},
      {"large texts in lists", large + loop + "[t] == [t]))"},
      {"large texts in sets", large + loop + "sets.contains([t], [t])))"},
      {"large texts as keys", large + loop + "t in {t: 1}))"},
      {"large texts formatted", large + loop + "'%s'.format([t]) != ''))"},
      {"letter of a long text", digits + loop + "t.charAt(5) == '1'))"},
      {"long text as a double", digits + loop + "double(t) > 0.0 || true))"},
      {"long text as a duration", "['" + Repeated("1ns", 3000) + "'].all(t, " + loop +
                                      "duration(t) > duration('1s') || true))"},
      {"long text as a time", "['2024-01-01T00:00:00." + std::string(9000, '1') + "Z'].all(t, " +
                                  loop + "timestamp(t) > timestamp(0)))"},
      {"matches of a long text", digits + loop + "t.findAll('1').size() > 0))"},
      {"empty matches", digits + loop + "t.findAll('').size() > 0))"},
      {"long URL asked for", loop + "isURL('https://a/" + Repeated("%41", 3000) + "'))"},
      {"long URLs compared",
       "[url('https://a/" + std::string(9000, 'a') + "')].all(u, " + loop + "u == u))"},
      {"long queries", "[url('https://a/?" + Repeated("a=b&", 2000) + "')].all(u, " + loop +
                           "u.getQuery().size() > 0))"},
      {"long versions compared", "[semver('1.2.3-" + Repeated("a.", 2000) +
                                     "a')].all(v, [semver('1.2.3-" + Repeated("a.", 2000) +
                                     "b')].all(w, " + loop + "v.isLessThan(w))))"},
      {"large quantities", "[quantity('" + std::string(4000, '9') + "')].all(q, " + loop +
                               "q.add(quantity('1n')).isGreaterThan(q)))"},
      {"large quantities as doubles", "[quantity('" + std::string(4000, '9') + "')].all(q, " +
                                          loop + "q.asApproximateFloat() > 0.0))"},
      {"large exponents",
       "[quantity('1e4000')].all(q, " + loop + "q.add(quantity('1n')).isGreaterThan(q) || true))"},
      {"lists formatted", "[lists.range(3000)].all(l, " + loop + "'%s'.format([l]) != ''))"},
      {"doubles formatted", Formatted("%f", "1.5")},
      {"exponents formatted", Formatted("%e", "1.5")},
      {"large doubles formatted", "lists.range(300).all(x, '" + Repeated("%f", 500) + "'.format([" +
                                      Repeated("1e308, ", 499) + "1e308]) != '')"},
      {"empty texts joined",
       "[lists.range(10000).map(x, '')].all(l, " + loop + "l.join('') == ''))"},
      {"maps compared", "[lists.range(3000).transformMap(k, v, v)].all(m, " + loop + "m == m))"},
      {"lists flattened",
       "[lists.range(100).map(x, lists.range(3000))].all(l, " + loop + "l.flatten().size() > 0))"},
      {"zones that are not there", loop + "timestamp(x).getHours('No/Where') > 0 || true)"},
  };
}

std::vector<Subject> HeavySubjects() {
  const std::string text(1000, 'a');
  return {
      {"range, all", "lists.range(100000).all(x, x >= 0)"},
      {"nested comprehensions",
       "lists.range(60).all(a, lists.range(60).all(b, lists.range(60).all(c, a + b + c >= 0)))"},
      {"map of map", "lists.range(300).map(a, lists.range(300).map(b, a * b)).size() > 0"},
      {"filter and sort", "lists.range(9000).filter(x, x % 2 == 0).map(x, -x).sort().size() > 0"},
      {"distinct", "lists.range(4000).map(x, x % 2000).distinct().size() > 0"},
      {"growth by +",
       "lists.range(14).map(x, '" + text + "').map(s, s + s + s + s + s + s).all(s, s != '')"},
      {"growth by replace",
       "'aaaaaaaaaa'.replace('a', '" + text + "').replace('a', 'bb').size() > 0"},
      {"growth by replace, repeated",
       "'aaaa'" + Repeated(".replace('a', 'aaaaaaaaaa')", 9) + ".size() > 0"},
      {"growth by join", "lists.range(5000).map(x, '" + text + "').join(',').size() > 0"},
      {"growth by format",
       "lists.range(3000).all(x, '%s%s%s'.format(['" + text + "', x, 'z']) != '')"},
      {"split and join", "'" + Repeated("a,", 4000) + "'.split(',').join(';') != ''"},
      {"text compared", "lists.range(6000).all(x, ('" + text + "' + string(x)) != '" + text + "')"},
      {"text searched",
       "lists.range(2000).all(x, ('" + text + "' + string(x)).indexOf('aab') == -1)"},
      {"text searched, at its worst",
       "lists.range(2000).all(x, ('" + text + "' + string(x)).indexOf('aba') == -1)"},
      {"text searched backwards",
       "lists.range(2000).all(x, ('" + text + "' + string(x)).lastIndexOf('aba') == -1)"},
      {"constant regex over long text",
       "lists.range(900).all(x, ('" + text + "' + string(x)).matches('(a|aa)+$') || true)"},
      {"catastrophic regex", "'" + text + "b'.matches('^(a+)+$') || true"},
      {"one pattern made at run time",
       "lists.range(20000).all(x, taint.key.matches('^zone-' + taint.value) || true)"},
      {"few patterns made at run time",
       "lists.range(20000).all(x, taint.key.matches('^zone-' + string(x % 10)) || true)"},
      {"patterns, all different",
       "lists.range(20000).all(x, taint.key.matches('^zone-' + string(x)) || true)"},
      {"large patterns, all different",
       "lists.range(20000).all(x, taint.key.matches('((a{9}){9}){9}' + string(x)) || true)"},
      {"lists that share", "[1]" + Repeated(".map(x, [x, x, x, x])", 12) + " == [1]" +
                               Repeated(".map(x, [x, x, x, x])", 12)},
      {"large regex over long text",
       "lists.range(200).all(x, ('" + text + "' + string(x)).matches('(a|b){999}c') || true)"},
      {"large regex over grown text",
       "'aaaa'.replace('a', '" + text +
           "').replace('a', 'abababab').matches('((a|b)*a(a|b){99})') "
           "|| true"},
      {"quantities",
       "lists.range(9000).all(x, quantity('123456789.123456789Ki').isGreaterThan(quantity('1')))"},
      {"versions", "lists.range(20000).all(x, semver('1.2.' + string(x)).major() == 1)"},
      {"long versions",
       "lists.range(200).all(x, isSemver('1.2.3-" + Repeated("a.", 2000) + "' + string(x)))"},
      {"long quantities",
       "lists.range(2000).all(x, isQuantity('" + std::string(2000, '9') + "' + string(x)))"},
      {"long addresses",
       "lists.range(2000).all(x, !isIP('" + Repeated("1:", 2000) + "' + string(x)))"},
      {"long URLs",
       "lists.range(500).all(x, isURL('https://a/" + Repeated("%41", 1000) + "' + string(x)))"},
      {"names", "lists.range(500).all(x, format.dns1123Label().validate('" + text +
                    "' + string(x)).hasValue())"},
      {"sets", "lists.range(100).all(x, sets.contains(lists.range(100), lists.range(100)))"},
      {"upper case", "lists.range(1000).all(x, ('" + text + "' + string(x)).upperAscii() != '')"},
      {"texts reversed",
       "lists.range(500).all(x, ('" + text + "' + string(x)).split('').reverse().join('') != '')"},
      {"other letters",
       "lists.range(3000).all(x, ('" + Repeated("é", 1000) + "' + string(x)).size() > 0)"},
      {"other letters cut up",
       "lists.range(200).all(x, ('" + Repeated("é", 1000) + "' + string(x)).split('') != [])"},
      {"other letters that are no address",
       "lists.range(2000).all(x, !isIP('" + Repeated("😀", 400) + "' + string(x)))"},
      {"addresses", "lists.range(30000).all(x, ip('1.2.3.' + string(x % 256)).family() == 4)"},
      {"networks",
       "lists.range(30000).all(x, cidr('1.2.0.0/16').containsIP('1.2.3.' + string(x % 256)))"},
      {"short URLs", "lists.range(30000).all(x, url('https://a/' + string(x)).getHost() == 'a')"},
      {"texts of times", "lists.range(30000).all(x, string(timestamp(x)) != '')"},
      {"numbers formatted", Formatted("%d", "x")},
      {"numbers to the base 16 formatted", Formatted("%X", "x")},
      {"texts formatted", Formatted("%s", "taint.key")},
      {"timestamps", "lists.range(20000).all(x, timestamp(x).getFullYear('Europe/Berlin') > 1900)"},
  };
}

bool MeasureHeavy(const std::vector<Subject>& subjects) {
  const auto& environment = TolerationEnvironment();
  const std::array<Value, 3> fields{Value::String("zone-a1-rack-03"), Value::String("42"),
                                    Value::String("NoSchedule")};
  const ObjectValue object(&kTaintType, fields.data());
  const Value taint = Value::Object(&object);
  bool all_kept = true;
  std::printf("\n%-34s %10s %10s %9s  %s\n", "evaluate", "cost", "ms", "ns/cost", "bound");
  for (const Subject& subject : subjects) {
    const auto compiled = environment->Compile(subject.expression);
    if (!compiled) {
      std::printf("%s: %s\n", subject.name.data(), compiled.error().Text().c_str());
      return false;
    }
    const auto program = *Program::Plan(*compiled, environment);
    Evaluation evaluation;
    Outcome outcome;
    const double time = Time([&] { outcome = evaluation.Evaluate(*program, {&taint, 1}); });
    const double per_cost = time / static_cast<double>(std::max<std::uint64_t>(outcome.cost, 1));
    const std::string error = outcome.value.is_error() ? outcome.value.error().Text() : "";
    const bool is_cancelled =
        error.ends_with("work limit exceeded") || error.ends_with("memory limit exceeded");
    const double time_max =
        kNanosecondsPerCostMax * static_cast<double>(std::max(outcome.cost, kWorthMeasuring)) +
        (is_cancelled ? kCancelledMillisecondsMax * 1e6 : 0);
    const bool is_kept = time <= time_max;
    std::printf("%-34s %10llu %10.2f %9.1f  %-7s %s\n", subject.name.data(),
                static_cast<unsigned long long>(outcome.cost), time / 1e6, per_cost,
                Verdict(is_kept, all_kept), error.c_str());
  }
  return all_kept;
}

std::vector<Subject> LongSubjects() {
  return {
      {"sum", Filled("1", " + 1", " > 0")},
      {"and", Filled("true", " && true", "")},
      {"or of comparisons", Filled("taint.key == 'a'", " || taint.key == 'b'", "")},
      {"ternaries", Filled("", "true ? 1 : ", "1")},
      {"minus signs", Filled("", "-", "1 < 0")},
      {"exclamation marks", Filled("", "!", "true")},
      {"open parentheses", Filled("", "(", "")},
      {"parentheses, deepest", Nested("(", "true", ")", 249)},
      {"lists, deepest", Nested("[", "1", "]", 249) + " == []"},
      {"map literals, deepest", Nested("{'a': ", "1", "}", 249) + " == {}"},
      {"map literals, both sides", Nested("{{1: 2}: ", "1", "}", 249) + " == {}"},
      {"list of numbers", Filled("[1", ", 1", "] == []")},
      {"list of lists", Filled("[[1]", ", [1]", "] == []")},
      {"map of texts", Filled("{'a': 1", ", 'a': 1", "} == {}")},
      {"one text", Filled("'", "a", "' == ''")},
      {"one number", Filled("", "9", "")},
      {"escapes", Filled("'", "\\U0001F600", "' == ''")},
      {"syntax errors", Filled("", "1 1 ", "")},
      {"operators", Filled("", "+*/%", "")},
      {"unknown names", Filled("a", " + b.c.d()", "")},
      {"bytes that are no text", Filled("'", "\xff\xfe", "' == ''")},
      {"calls", Filled("taint.key", ".lowerAscii()", " == ''")},
      {"fields", Filled("dyn(taint)", ".a", "")},
      {"indices", Filled("dyn(taint)", "[0]", "")},
      {"comprehensions, nested", Nested("[1].all(x, ", "true", ")", 120)},
      {"comprehensions, side by side", Filled("true", " && [1].all(x, x == 1)", "")},
      {"two variables, nested", Nested("[1].transformList(i, v, ", "v", ")", 60) + " == []"},
      {"optionals", Filled("[", "?optional.of(1), ", "] == []")},
      {"formats", Filled("true", " && '%s'.format([1]) != ''", "")},
      {"regular expressions", Filled("true", " && taint.key.matches('a{9}')", "")},
      {"one large regular expression", Filled("taint.key.matches('", "(a|b)", "')")},
      {"regular expression that unfolds", "taint.key.matches('(((a{9}){9}){9}){9}')"},
      {"constant conversions", Filled("int('1')", " + int('1')", " > 0")},
      {"key of bytes", "{b'a': 1}.size() > 0"},
      {"key of bytes through dyn", "{dyn(b'a'): 1}.size() > 0"},
  };
}

const char* StageText(Compilation::Stage stage) {
  switch (stage) {
    case Compilation::Stage::Done:
      return "compiles";
    case Compilation::Stage::Compile:
      return "refused";
    case Compilation::Stage::Plan:
      return "refused when planned";
  }
  return "";
}

bool MeasureCompile() {
  bool all_kept = true;
  std::printf("\n%-32s %10s %10s  %-20s %s\n", "compile", "bytes", "ms", "outcome", "bound");
  for (const Subject& subject : LongSubjects()) {
    Compilation made;
    const double time =
        Time([&] { made = CompileProgram(subject.expression, TolerationEnvironment()); }) / 1e6;
    std::printf("%-32s %10zu %10.2f  %-20s %s\n", subject.name.data(), subject.expression.size(),
                time, StageText(made.stage), Verdict(time <= kCompileMillisecondsMax, all_kept));
  }
  return all_kept;
}

std::size_t HeapBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::vector<Subject> CachedSubjects() {
  std::string sums;
  while (sums.size() < 9'000) sums += " || 0" + Repeated("+1", 240) + " == 0";
  return {
      {"short", ""},
      {"2 KiB of lists", " || dyn([[1]" + Repeated(", [1]", 400) + "]) == taint.key"},
      {"9 KiB of sums", sums},
      {"9 KiB of faults", Repeated(" || x", 1'800)},
  };
}

/// Caches 100,000 different expressions; fewer long ones, because compiling them takes long.
bool MeasureCache() {
  constexpr std::size_t kAsked = 100'000;
  constexpr std::size_t kAskedOfLong = 5'000;
  // Limit of the values, limit of the keys, and the overhead of the cache.
  constexpr CacheLimits kLimits;
  constexpr std::size_t kBytesMax = kLimits.value_bytes_max + 3 * kLimits.key_bytes_max;
  bool all_kept = true;
  std::printf("\n%-32s %10s %10s %12s %12s  %s\n", "cache", "asked", "entries", "counted, MiB",
              "heap, MiB", "bound");
  for (const Subject& subject : CachedSubjects()) {
    const std::size_t before = HeapBytes();
    std::size_t peak = 0;
    ProgramCache cache(TolerationEnvironment(), kLimits);
    const std::size_t asked = subject.expression.empty() ? kAsked : kAskedOfLong;
    for (std::size_t i = 0; i < asked; ++i) {
      cache.Get("taint.value == '" + std::to_string(i) + "'" + subject.expression);
      peak = std::max(peak, HeapBytes() - before);
    }
    const CacheCounters counters = cache.counters();
    std::printf("%-32s %10zu %10zu %12.2f %12.2f  %s\n", subject.name.data(), asked,
                counters.entries, static_cast<double>(counters.value_bytes) / (1 << 20),
                static_cast<double>(peak) / (1 << 20), Verdict(peak <= kBytesMax, all_kept));
  }
  return all_kept;
}

}  // namespace
}  // namespace plimsoll::cel

int main(int count, char** arguments) {
  using namespace plimsoll::cel;
  bool all_kept = MeasureHeavy(HeavySubjects());
  all_kept = MeasureHeavy(RepeatedSubjects()) && all_kept;
  all_kept = MeasureCompile() && all_kept;
  all_kept = MeasureCache() && all_kept;
  const bool is_strict = count > 1 && std::string_view(arguments[1]) == "--strict";
  return is_strict && !all_kept ? 1 : 0;
}
