#pragma once

#include <cstddef>

/// Limits of this folder. ServerOptions and TransportOptions can replace those that are their
/// defaults.
namespace plimsoll::net {

/// Open connections of a server. It reduces this to the share of its open files, stops accepting,
/// and closes anonymous connections.
inline constexpr int kConnectionsMax = 20'000;

/// Open connections of clients that are not authenticated. The server closes the oldest.
inline constexpr int kAnonymousConnectionsMax = 1024;

/// Bytes of a ClientHello. The server closes the connection.
inline constexpr std::size_t kClientHelloBytesMax = 16u << 10;

/// Bytes of the certificates of a client. The TLS handshake fails. OpenSSL would buffer 100 KiB for
/// an unknown client.
inline constexpr long kClientCertificatesBytesMax = 32L << 10;

/// Bytes of the head of a request. The server answers 431 and closes the connection. With a TLS
/// record and OpenSSL's state, a connection holds less than 64 KiB before the handler requests a
/// body.
inline constexpr std::size_t kRequestHeadBytesMax = 44u << 10;

/// Header fields of a message. The server answers 431; the client fails.
inline constexpr std::size_t kHeadersMax = 256;

/// Bytes of a line between chunks: size and extensions, or a trailer. The body is broken.
inline constexpr std::size_t kChunkLineBytesMax = 4u << 10;

/// Bytes of all extensions and trailers of a chunked body. The body is broken.
inline constexpr std::size_t kChunkOverheadBytesMax = 16u << 10;

/// Bytes of a body that the handler does not read. The server reads no more and closes the
/// connection after the response.
inline constexpr std::size_t kDiscardedBytesMax = 256u << 10;

/// Bytes of further requests that the server reads while it serves one. It stops reading.
inline constexpr std::size_t kReadAheadBytesMax = 16u << 10;

/// Steps of a connection at once. Then other connections of the thread take a turn.
inline constexpr int kStepsPerTurnMax = 256;

/// Unsent bytes of a watch. The server cuts off the reader.
inline constexpr std::size_t kStreamPendingBytesMax = 4u << 20;

/// Bytes of the head of a response, checked after each read. The call fails.
inline constexpr std::size_t kResponseHeadBytesMax = 256u << 10;

/// Idle connections that a client keeps: one for each call that a component has in flight at once.
/// It closes further ones. If many calls end together, a closed connection soon costs another
/// handshake.
inline constexpr std::size_t kIdleConnectionsMax = 512;

/// Bits of an RSA key. A larger key is rejected, because each signature would be too slow.
inline constexpr int kRsaBitsMax = 8192;

/// Bits of the public exponent of an RSA key. A larger one is rejected for the same reason.
inline constexpr int kRsaExponentBitsMax = 32;

}  // namespace plimsoll::net
