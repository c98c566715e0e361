#include "net/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/assert.h"
#include "base/text/trim.h"

namespace plimsoll::net {
namespace {

constexpr std::size_t kPartSize = 32u << 10;
constexpr int kLevel = 1;
constexpr int kGzipWindow = 15 + 16;  // zlib's code for a gzip frame

class GzipSource final : public BodySource {
 public:
  explicit GzipSource(std::unique_ptr<BodySource> body) : body_(std::move(body)) {
    PL_ASSERT(deflateInit2(&zip_, kLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  }
  ~GzipSource() override { deflateEnd(&zip_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  bool Read(std::string& out) override {
    const std::size_t start = out.size();
    bool has_more = true;
    // Repeat until there is output: the compressor may buffer small inputs.
    while (has_more && out.size() == start) {
      in_.clear();
      has_more = body_->Read(in_);
      Deflate(out, has_more ? Z_NO_FLUSH : Z_FINISH);
    }
    return has_more;
  }

 private:
  void Deflate(std::string& out, int flush) {
    zip_.next_in = reinterpret_cast<Bytef*>(in_.data());
    zip_.avail_in = static_cast<uInt>(in_.size());
    std::size_t room = 0;
    do {
      const std::size_t start = out.size();
      out.resize(start + kPartSize);
      zip_.next_out = reinterpret_cast<Bytef*>(out.data() + start);
      zip_.avail_out = static_cast<uInt>(kPartSize);
      deflate(&zip_, flush);
      room = zip_.avail_out;
      out.resize(start + kPartSize - room);
    } while (room == 0);
  }

  std::unique_ptr<BodySource> body_;
  std::string in_;
  z_stream zip_{};
};

class TextSource final : public BodySource {
 public:
  explicit TextSource(Bytes text) : text_(std::move(text)) {}
  bool Read(std::string& out) override {
    const std::size_t size = std::min(kPartSize, text_->size() - at_);
    out.append(*text_, at_, size);
    at_ += size;
    return at_ < text_->size();
  }

 private:
  Bytes text_;
  std::size_t at_ = 0;
};

class PrependedSource final : public BodySource {
 public:
  PrependedSource(std::string text, std::unique_ptr<BodySource> rest)
      : text_(std::move(text)), rest_(std::move(rest)) {}
  bool Read(std::string& out) override {
    if (text_.empty()) return rest_->Read(out);
    out += text_;
    text_ = {};
    return true;
  }

 private:
  std::string text_;
  std::unique_ptr<BodySource> rest_;
};

}  // namespace

bool AcceptsGzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const std::size_t comma = std::min(accept_encoding.find(','), accept_encoding.size());
    const std::string_view word = accept_encoding.substr(0, comma);
    accept_encoding.remove_prefix(std::min(comma + 1, accept_encoding.size()));
    const std::size_t semicolon = std::min(word.find(';'), word.size());
    if (TrimSpaces(word.substr(0, semicolon)) != "gzip") continue;
    const std::string_view weight = TrimSpaces(word.substr(std::min(semicolon + 1, word.size())));
    // A weight of zero, with any number of zeros, means no.
    return !weight.starts_with("q=0") || weight.find_first_of("123456789") != std::string::npos;
  }
  return false;
}

std::unique_ptr<BodySource> Gzip(std::unique_ptr<BodySource> body) {
  return std::make_unique<GzipSource>(std::move(body));
}

std::unique_ptr<BodySource> SourceOf(Bytes text) {
  return std::make_unique<TextSource>(std::move(text));
}

std::unique_ptr<BodySource> Prepend(std::string text, std::unique_ptr<BodySource> rest) {
  return std::make_unique<PrependedSource>(std::move(text), std::move(rest));
}

}  // namespace plimsoll::net
