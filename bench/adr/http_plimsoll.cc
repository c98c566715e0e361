#include <string>
#include <string_view>

#include "bench/adr/http_library.h"
#include "net/http1_body.h"
#include "net/http1_parser.h"
#include "net/http1_writer.h"

namespace plimsoll::adr {
namespace {

constexpr std::size_t kBodyMax = 3u << 20;

class Plimsoll final : public HttpLibrary {
 public:
  const char* name() const override { return "plimsoll"; }

  std::size_t Parse(std::string_view text) override { return ParsePieces(text, text.size()); }

  std::size_t ParsePieces(std::string_view text, std::size_t size) override {
    std::string received;
    net::HeadScanner scanner;
    auto outcome = net::HeadScanner::Outcome::More;
    while (outcome == net::HeadScanner::Outcome::More) {
      if (text.empty()) return kRefused;
      Receive(text, size, received);
      outcome = scanner.Scan(received);
    }
    if (outcome == net::HeadScanner::Outcome::Broken) return kRefused;
    const auto head = net::ParseRequestHead(std::string_view(received).substr(0, scanner.size()));
    if (!head) return kRefused;
    received.erase(0, scanner.size());
    net::Http1Body reader(*head);
    std::string body;
    while (!reader.is_whole()) {
      const auto taken = reader.Read(received, body, kBodyMax);
      if (taken == net::Http1Body::Outcome::Done) break;
      if (taken != net::Http1Body::Outcome::More || text.empty()) return kRefused;
      Receive(text, size, received);
    }
    return body.size();
  }

  void Respond(std::string_view body, std::string& out) override {
    net::Headers headers;
    headers.Add("Audit-Id", "6d1f2c9e-5a5b-4c5c-9f77-0d7c0b6f6a11");
    headers.Add("Cache-Control", "no-cache, private");
    headers.Add("Content-Type", "application/json");
    net::AppendHead(out,
                    {.framing = net::Framing::Length,
                     .length = body.size(),
                     .date = "Sun, 06 Nov 1994 08:49:37 GMT"},
                    headers);
    out += body;
  }

 private:
  static void Receive(std::string_view& text, std::size_t size, std::string& received) {
    received += text.substr(0, size);
    text.remove_prefix(std::min(size, text.size()));
  }
};

}  // namespace

HttpLibrary& PlimsollHttp() {
  static Plimsoll library;
  return library;
}

}  // namespace plimsoll::adr
