#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// The same work with two HTTP/1.1 libraries. http_plimsoll.cc and http_beast.cc implement it, and
/// http_compare.cc runs the two in turn.
namespace plimsoll::adr {

class HttpLibrary {
 public:
  virtual ~HttpLibrary() = default;

  virtual const char* name() const = 0;

  /// Parses a request that is wholly there. Returns the size of its body, or
  /// kRefused.
  virtual std::size_t Parse(std::string_view text) = 0;
  /// Same as above, for a request that arrives in pieces of this size.
  virtual std::size_t ParsePieces(std::string_view text, std::size_t size) = 0;
  /// Appends a response with status 200, four headers and this body to `out`.
  virtual void Respond(std::string_view body, std::string& out) = 0;

  static constexpr std::size_t kRefused = static_cast<std::size_t>(-1);
};

HttpLibrary& PlimsollHttp();
HttpLibrary& BeastHttp();

}  // namespace plimsoll::adr
