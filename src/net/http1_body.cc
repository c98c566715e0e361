#include "net/http1_body.h"

#include <algorithm>

namespace plimsoll::net {

Http1Body::Outcome Http1Body::ReadChunks(std::string& in, std::string& out, std::size_t size_max) {
  std::string_view rest = in;
  const ChunkDecoder::Outcome outcome = chunks_.Decode(rest, out, size_max);
  in.erase(0, in.size() - rest.size());
  switch (outcome) {
    case ChunkDecoder::Outcome::More:
      return Outcome::More;
    case ChunkDecoder::Outcome::Done:
      is_whole_ = true;
      return Outcome::Done;
    case ChunkDecoder::Outcome::TooLarge:
      return Outcome::TooLarge;
    case ChunkDecoder::Outcome::Broken:
      return Outcome::Broken;
  }
  return Outcome::Broken;
}

Http1Body::Outcome Http1Body::Read(std::string& in, std::string& out, std::size_t size_max) {
  if (is_whole_) return Outcome::Done;
  if (is_chunked_) return ReadChunks(in, out, size_max);
  if (left_ > size_max - std::min(size_max, out.size())) return Outcome::TooLarge;
  const std::size_t size = std::min<std::uint64_t>(in.size(), left_);
  out.append(in, 0, size);
  in.erase(0, size);
  left_ -= size;
  is_whole_ = left_ == 0;
  return is_whole_ ? Outcome::Done : Outcome::More;
}

Http1Body::Outcome Http1Body::Discard(std::string& in, std::size_t size_max) {
  if (is_whole_) return Outcome::Done;
  if (is_chunked_) {
    std::string thrown_away;
    const Outcome outcome = ReadChunks(in, thrown_away, size_max - std::min(size_max, discarded_));
    discarded_ += thrown_away.size();
    return outcome;
  }
  if (left_ > size_max - std::min(size_max, discarded_)) return Outcome::TooLarge;
  const std::size_t size = std::min<std::uint64_t>(in.size(), left_);
  in.erase(0, size);
  left_ -= size;
  discarded_ += size;
  is_whole_ = left_ == 0;
  return is_whole_ ? Outcome::Done : Outcome::More;
}

}  // namespace plimsoll::net
