#pragma once

#include <memory>
#include <string_view>

#include "net/http.h"

namespace plimsoll::net {

/// Whether a client that sent this Accept-Encoding can read gzip.
bool AcceptsGzip(std::string_view accept_encoding);

/// The body, compressed as it is read: at the fastest level, as a server's time is dearer than the
/// last tenth of a network's.
std::unique_ptr<BodySource> Gzip(std::unique_ptr<BodySource> body);

/// The text as a source.
std::unique_ptr<BodySource> SourceOf(Bytes text);

/// What was read of a source, and then the rest of it.
std::unique_ptr<BodySource> Prepend(std::string text, std::unique_ptr<BodySource> rest);

}  // namespace plimsoll::net
