#pragma once

#include <cstddef>
#include <string>

#include "base/clock.h"
#include "identity.h"

/// How much TLS this machine can carry to itself when it has nothing else to do: one ready text to
/// many connections, and nobody who looks at what has come.
namespace plimsoll::bench {

struct PumpOptions {
  std::string suite =
      "TLS_AES_128_GCM_SHA256";  // of TLS 1.3; others, as OpenSSL calls them, of 1.2
  std::size_t record_size = 16u << 10;
  std::size_t piece_size = 64u << 10;  // what a connection is sent before the next has its turn
  std::size_t gathered_size = 0;       // see TlsEnd
  std::size_t read_buffer_size = 0;    // what OpenSSL asks a socket for; 0: a record
  int socket_buffer_size = 0;          // 0: what the system likes
  int connections = 64;
  /// One thread sends and the other receives, instead of each doing both for its connections, with
  /// what it has sent still in its processor's cache.
  bool has_sides = false;
  bool is_pinned = true;  // each thread to a processor of its own
};

struct PumpReport {
  double bytes_per_second = 0;
  double seconds_per_gb = 0;  // of all processors, from encrypting to decrypting
};

/// With a thread for every processor.
PumpReport PumpTls(const Identity& identity, const PumpOptions& options, Duration duration);

/// What one processor needs for a GB by parts, in seconds.
struct PumpParts {
  double encrypt = 0;  // in memory, 16 KiB at a time, as a record is
  double decrypt = 0;
  double send = 0;  // plain bytes over the loopback
  double receive = 0;
};
/// `cipher` as OpenSSL calls it: AES-128-GCM.
PumpParts MeasureParts(const std::string& cipher, Duration duration);

}  // namespace plimsoll::bench
