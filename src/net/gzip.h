#pragma once

#include <memory>
#include <string_view>

#include "net/http.h"

namespace plimsoll::net {

/// Returns true if a client that sent this Accept-Encoding can read gzip.
bool AcceptsGzip(std::string_view accept_encoding);

/// Compresses the body while it is read. Uses the fastest level: server CPU time costs more than
/// the last tenth of network traffic.
std::unique_ptr<BodySource> Gzip(std::unique_ptr<BodySource> body);

/// Returns a source of the text.
std::unique_ptr<BodySource> SourceOf(Bytes text);

/// Returns a source of `text` followed by `rest`.
std::unique_ptr<BodySource> Prepend(std::string text, std::unique_ptr<BodySource> rest);

}  // namespace plimsoll::net
