#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of this folder, so that no expression can exhaust memory, stack or time.
namespace plimsoll::cel {

/// Code points of an expression, as in cel-go. Parsing fails.
inline constexpr std::size_t kSourceCodePointsMax = 100'000;

/// Nested expressions, as in cel-go. Parsing fails.
inline constexpr int kNestingMax = 250;

/// Tokens after a syntax error within which the parser finds a place to continue, as in cel-go.
/// Beyond them parsing ends.
inline constexpr std::size_t kRecoveryTokensMax = 256;

/// Errors of an expression that are reported. Further ones are counted.
inline constexpr std::size_t kIssuesMax = 100;

/// Code points of a source line that an error shows. A longer line is useless to a reader, and is
/// not shown.
inline constexpr std::size_t kSnippetCodePointsMax = 16384;

/// Nodes that macros copy in one expression. Parsing fails.
inline constexpr std::uint32_t kCopiesMax = 1u << 16;

/// Types within a type. A larger type becomes dyn.
inline constexpr std::uint32_t kTypeSizeMax = 1024;

/// Type parameters of a declaration. More are a bug: an assert fails, or the type is malformed.
inline constexpr std::size_t kTypeParametersMax = 8;

/// Cost of one evaluation, in upstream's units. The evaluation is cancelled.
inline constexpr std::uint64_t kCostLimit = 1'000'000;

/// Bytes of the arena of one evaluation, which is cancelled. Costs do not cover all growth:
/// replacing each of 5,000 letters by 5,000 others costs 1,000.
inline constexpr std::size_t kEvaluationBytesMax = 64u << 20;

/// Bytes that an arena keeps for the next evaluation. It frees the rest.
inline constexpr std::size_t kArenaKeptBytesMax = 8u << 20;

/// Bytes of a text that a function makes. The call fails: a short expression can make one of
/// terabytes.
inline constexpr std::size_t kTextBytesMax = 64 << 20;

/// Elements of a list that a function makes from other lists. The call fails.
inline constexpr std::size_t kElementsMax = 4 << 20;

/// Elements of lists.range, as upstream. The call fails.
inline constexpr std::int64_t kRangeMax = 1'000'000;

/// Pairs of values that a call compares. The call fails. More pairs exceed every cost limit by far.
inline constexpr std::size_t kComparisonsMax = 1 << 23;

/// Steps of a traversal that computes a cost. Nested lists that share their elements can be
/// exponential; this many steps exceed every cost limit.
inline constexpr std::uint64_t kCostStepsMax = 1 << 24;

/// Precision of a clause of format. A larger one is rejected; upstream would write that many zeros.
inline constexpr int kFormatPrecisionMax = 1 << 20;

/// Count of a repetition in a regular expression, as in Go. The pattern is rejected.
inline constexpr std::uint32_t kRegexRepeatMax = 1000;

/// Nested groups and repetitions of a regular expression, as in Go. The pattern is rejected.
inline constexpr std::uint32_t kRegexHeightMax = 1000;

/// Instructions of a compiled regular expression. The pattern is rejected. Go accepts larger ones,
/// but RE2 would take a second to compile one.
inline constexpr std::uint64_t kRegexStepsMax = 150'000;

/// Letters that a call scans which finds all matches. The call fails. Each match may have to scan
/// the rest of the text.
inline constexpr std::uint64_t kRegexLettersMax = std::uint64_t{1} << 30;

/// Compiled regular expressions that a thread keeps. The least recently used one is dropped.
inline constexpr std::size_t kRecentRegexesMax = 16;

/// Instructions of a compiled regular expression that a thread keeps. A larger one is kept only
/// until the next.
inline constexpr std::uint64_t kRecentRegexStepsMax = 2'000;

}  // namespace plimsoll::cel
