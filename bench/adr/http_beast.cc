#include <algorithm>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "bench/adr/http_library.h"

namespace plimsoll::adr {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace asio = boost::asio;

constexpr std::size_t kBodyMax = 3u << 20;

class Beast final : public HttpLibrary {
 public:
  const char* name() const override { return "beast"; }

  std::size_t Parse(std::string_view text) override {
    http::request_parser<http::string_body> parser;
    parser.eager(true);
    parser.body_limit(kBodyMax);
    beast::error_code error;
    parser.put(asio::buffer(text.data(), text.size()), error);
    if (error || !parser.is_done()) return kRefused;
    return parser.get().body().size();
  }

  std::size_t ParsePieces(std::string_view text, std::size_t size) override {
    http::request_parser<http::string_body> parser;
    parser.eager(true);
    parser.body_limit(kBodyMax);
    beast::flat_buffer buffer;
    while (!parser.is_done()) {
      if (text.empty()) return kRefused;
      const std::size_t part = std::min(size, text.size());
      buffer.commit(asio::buffer_copy(buffer.prepare(part), asio::buffer(text.data(), part)));
      text.remove_prefix(part);
      beast::error_code error;
      buffer.consume(parser.put(buffer.data(), error));
      if (error && error != http::error::need_more) return kRefused;
    }
    return parser.get().body().size();
  }

  void Respond(std::string_view body, std::string& out) override {
    // A span refers to the body without a copy, as our outbox does.
    http::response<http::span_body<const char>> response(http::status::ok, 11);
    response.set("Audit-Id", "6d1f2c9e-5a5b-4c5c-9f77-0d7c0b6f6a11");
    response.set(http::field::cache_control, "no-cache, private");
    response.set(http::field::content_type, "application/json");
    response.set(http::field::date, "Sun, 06 Nov 1994 08:49:37 GMT");
    response.body() = {body.data(), body.size()};
    response.content_length(body.size());
    http::response_serializer<http::span_body<const char>> serializer(response);
    beast::error_code error;
    while (!serializer.is_done()) {
      serializer.next(error, [&](beast::error_code&, const auto& buffers) {
        std::size_t size = 0;
        for (const asio::const_buffer part : beast::buffers_range_ref(buffers)) {
          out.append(static_cast<const char*>(part.data()), part.size());
          size += part.size();
        }
        serializer.consume(size);
      });
    }
  }
};

}  // namespace

HttpLibrary& BeastHttp() {
  static Beast library;
  return library;
}

}  // namespace plimsoll::adr
