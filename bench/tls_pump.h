#pragma once

#include <cstddef>
#include <string>

#include "base/clock.h"
#include "identity.h"

/// Measures how much TLS traffic this machine can send to itself: one prepared text to many
/// connections, without looking at the received data.
namespace plimsoll::bench {

struct PumpOptions {
  std::string suite =
      "TLS_AES_128_GCM_SHA256";  // of TLS 1.3; suites of TLS 1.2 are given by OpenSSL's names
  std::size_t record_size = 16u << 10;
  std::size_t piece_size = 64u << 10;  // bytes sent to a connection before the next one
  std::size_t gathered_size = 0;       // see TlsEnd
  std::size_t read_buffer_size = 0;    // size of OpenSSL's reads from the socket; 0: a record
  int socket_buffer_size = 0;          // 0: the system's default
  int connections = 64;
  /// True: one thread sends and another receives. False: each thread does both for its connections,
  /// while the sent data is still in the CPU cache.
  bool has_sides = false;
  bool is_pinned = true;  // each thread to its own processor
};

struct PumpReport {
  double bytes_per_second = 0;
  double seconds_per_gb = 0;  // CPU time from encryption to decryption
};

/// Uses one thread per processor.
PumpReport PumpTls(const Identity& identity, const PumpOptions& options, Duration duration);

/// CPU seconds per GB of each part.
struct PumpParts {
  double encrypt = 0;  // in memory, 16 KiB at a time like a TLS record
  double decrypt = 0;
  double send = 0;  // plain bytes over the loopback
  double receive = 0;
};
/// `cipher` is OpenSSL's name, for example AES-128-GCM.
PumpParts MeasureParts(const std::string& cipher, Duration duration);

}  // namespace plimsoll::bench
