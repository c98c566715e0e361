#pragma once

#include <cstddef>
#include <cstdint>

/// Limits of this folder, so that no input can exhaust memory or stack. ParseLimits can replace the
/// first three.
namespace plimsoll::codec {

/// Bytes of a JSON or YAML text. The parser fails with RequestEntityTooLarge.
inline constexpr std::size_t kDocumentBytesMax = 3u << 20;

/// Nested objects and lists. The parser fails.
inline constexpr std::uint32_t kDocumentDepthMax = 200;

/// Values of a text, after YAML aliases are expanded. The parser fails.
inline constexpr std::size_t kDocumentValuesMax = 1u << 20;

/// Repeated keys that a document records, as upstream. Further ones are not reported.
inline constexpr std::size_t kDuplicatesMax = 100;

/// Paths that a caller of ParseJson may skip. More are a bug: an assert fails.
inline constexpr std::size_t kSkippedPathsMax = 16;

/// Operations of a JSON patch. It is rejected with RequestEntityTooLarge.
inline constexpr std::size_t kJsonPatchOperationsMax = 10'000;

/// Bytes, as JSON, that all `copy` operations of a JSON patch add. It is rejected. Otherwise some
/// forty of them could fill any memory, because each can double the tree.
inline constexpr std::size_t kJsonPatchCopyBytesMax = 3u << 20;

/// Nested objects and lists of a text for which the syntax error of Go is computed, as in Go. The
/// error is then that of Go.
inline constexpr std::size_t kGoSyntaxDepthMax = 10'000;

}  // namespace plimsoll::codec
