#include "tls_pump.h"

#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/async.h"
#include "net/tls.h"
#include "program.h"
#include "tls_wire.h"

namespace plimsoll::bench {
namespace {

constexpr std::size_t kScratchSize = 256u << 10;
constexpr std::size_t kRecordSize = 16u << 10;
constexpr int kTagSize = 16;
// Number of records that fit into a socket's buffer.
constexpr std::size_t kPartsAtOnce = 4;

/// Both ends of one connection.
struct Connection {
  std::unique_ptr<TlsEnd> sender;
  std::unique_ptr<TlsEnd> receiver;
};

void Choose(SSL_CTX* context, const PumpOptions& options) {
  const bool is_13 = options.suite.starts_with("TLS_");
  SSL_CTX_set_max_proto_version(context, is_13 ? TLS1_3_VERSION : TLS1_2_VERSION);
  const auto choose = is_13 ? SSL_CTX_set_ciphersuites : SSL_CTX_set_cipher_list;
  PL_ASSERT(choose(context, options.suite.c_str()) == 1);
  PL_ASSERT(SSL_CTX_set_max_send_fragment(context, static_cast<long>(options.record_size)) == 1);
  SSL_CTX_set_default_read_buffer_len(context, options.read_buffer_size);
}

std::vector<Connection> Connect(const Identity& identity, const PumpOptions& options) {
  const net::SharedSslContext server = net::MakeServerContext(identity.ForServer()).value();
  const net::SharedSslContext client = net::MakeClientContext(identity.ForClient()).value();
  for (const auto& context : {server, client}) Choose(context.get(), options);
  std::vector<Connection> connections;
  for (int i = 0; i < options.connections; ++i) {
    const SocketPair sockets = ConnectLoopback(options.socket_buffer_size);
    Connection& made = connections.emplace_back();
    SSL* const server_ssl = SSL_new(server.get());
    SSL* const client_ssl = SSL_new(client.get());
    SSL_set_accept_state(server_ssl);
    SSL_set_connect_state(client_ssl);
    made.sender = std::make_unique<TlsEnd>(sockets.server, options.gathered_size, server_ssl);
    made.receiver = std::make_unique<TlsEnd>(sockets.client, options.gathered_size, client_ssl);
    for (bool is_ready = false; !is_ready;) {
      is_ready = made.receiver->ShakeHands();
      is_ready &= made.sender->ShakeHands();
    }
  }
  return connections;
}

void PinTo(int processor) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  CPU_SET(processor, &processors);
  sched_setaffinity(0, sizeof processors, &processors);
}

/// Returns the CPU time of all threads.
double ProcessSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// One thread. It sends, receives, or does both, on every `step`-th connection from `first`.
struct Pumper {
  bool sends = true;
  bool receives = true;
  std::size_t first = 0;
  std::size_t step = 1;

  void Run(std::vector<Connection>& connections, const std::string& text,
           const std::atomic<bool>& is_over, std::atomic<std::size_t>& received) const {
    std::string scratch(kScratchSize, '\0');
    while (!is_over) {
      for (std::size_t i = first; i < connections.size(); i += step) {
        if (sends) connections[i].sender->Send(text);
        if (receives) received += connections[i].receiver->ReceiveAll(scratch);
      }
    }
  }
};

std::vector<Pumper> ChoosePumpers(std::size_t threads, bool has_sides) {
  std::vector<Pumper> pumpers;
  if (!has_sides) {
    for (std::size_t i = 0; i < threads; ++i) {
      pumpers.push_back({.first = i, .step = threads});
    }
    return pumpers;
  }
  const std::size_t pairs = std::max<std::size_t>(threads / 2, 1);
  for (std::size_t i = 0; i < pairs; ++i) {
    pumpers.push_back({.receives = false, .first = i, .step = pairs});
    pumpers.push_back({.sends = false, .first = i, .step = pairs});
  }
  return pumpers;
}

/// A cipher without TLS records.
class Cipher {
 public:
  Cipher(const std::string& name, bool encrypts)
      : cipher_(EVP_CIPHER_fetch(nullptr, name.c_str(), nullptr)),
        context_(EVP_CIPHER_CTX_new()),
        encrypts_(encrypts) {
    PL_ASSERT(EVP_CipherInit_ex2(context_.get(), cipher_.get(), key_.data(), nonce_.data(),
                                 encrypts, nullptr) == 1);
  }

  /// Encrypts and writes the tag, or decrypts and checks the tag.
  void Run(const std::string& from, std::string& to, std::array<unsigned char, kTagSize>& tag) {
    EVP_CIPHER_CTX* const context = context_.get();
    const auto* const in = reinterpret_cast<const unsigned char*>(from.data());
    auto* const out = reinterpret_cast<unsigned char*>(to.data());
    int size = 0;
    EVP_CipherInit_ex2(context, nullptr, nullptr, nonce_.data(), encrypts_, nullptr);
    if (!encrypts_) EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, kTagSize, tag.data());
    EVP_CipherUpdate(context, out, &size, in, static_cast<int>(from.size()));
    PL_ASSERT(EVP_CipherFinal_ex(context, out + size, &size) == 1);
    if (encrypts_) EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, kTagSize, tag.data());
  }

 private:
  const std::unique_ptr<EVP_CIPHER, net::Freed<EVP_CIPHER_free>> cipher_;
  const std::unique_ptr<EVP_CIPHER_CTX, net::Freed<EVP_CIPHER_CTX_free>> context_;
  const bool encrypts_;
  const std::array<unsigned char, 32> key_{};
  const std::array<unsigned char, 12> nonce_{};
};

/// Adds the CPU time of `run`.
template <class Run>
void AddSeconds(double& seconds, Run run) {
  const double before = ProcessorSeconds();
  run();
  seconds += ProcessorSeconds() - before;
}

}  // namespace

PumpReport PumpTls(const Identity& identity, const PumpOptions& options, Duration duration) {
  std::vector<Connection> connections = Connect(identity, options);
  const std::string text(options.piece_size, 'x');
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> received = 0;
  std::vector<std::jthread> threads;
  const int processors = HardwareThreads();
  for (const Pumper& pumper :
       ChoosePumpers(static_cast<std::size_t>(processors), options.has_sides)) {
    threads.emplace_back([&, pumper, processor = static_cast<int>(threads.size()) % processors] {
      if (options.is_pinned) PinTo(processor);
      pumper.Run(connections, text, is_over, received);
    });
  }
  std::this_thread::sleep_for(duration / 4);  // warm-up
  const std::size_t received_before = received;
  const double seconds_before = ProcessSeconds();
  const auto start = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(duration);
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
  const auto bytes = static_cast<double>(received - received_before);
  const double seconds = ProcessSeconds() - seconds_before;
  is_over = true;
  return {.bytes_per_second = bytes / passed.count(), .seconds_per_gb = seconds / bytes * 1e9};
}

PumpParts MeasureParts(const std::string& cipher, Duration duration) {
  Cipher encrypt(cipher, /*encrypts=*/true);
  Cipher decrypt(cipher, /*encrypts=*/false);
  const std::string text(kRecordSize, 'x');
  std::string encrypted(kRecordSize, '\0');
  std::string scratch(kScratchSize, '\0');
  std::array<unsigned char, kTagSize> tag{};
  const SocketPair sockets = ConnectLoopback(0);
  PumpParts sums;
  std::size_t bytes = 0;
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < duration) {
    for (std::size_t i = 0; i < kPartsAtOnce; ++i) {
      AddSeconds(sums.encrypt, [&] { encrypt.Run(text, encrypted, tag); });
      AddSeconds(sums.decrypt, [&] { decrypt.Run(encrypted, scratch, tag); });
    }
    std::size_t sent = 0;
    AddSeconds(sums.send, [&] {
      for (std::size_t i = 0; i < kPartsAtOnce; ++i) {
        sent += static_cast<std::size_t>(send(sockets.server, text.data(), text.size(), 0));
      }
    });
    PL_ASSERT(sent == kPartsAtOnce * kRecordSize);
    AddSeconds(sums.receive, [&] {
      while (sent > 0) {
        sent -= static_cast<std::size_t>(recv(sockets.client, scratch.data(), scratch.size(), 0));
      }
    });
    bytes += kPartsAtOnce * kRecordSize;
  }
  for (const int socket : {sockets.server, sockets.client}) close(socket);
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  return {sums.encrypt / gigabytes, sums.decrypt / gigabytes, sums.send / gigabytes,
          sums.receive / gigabytes};
}

}  // namespace plimsoll::bench
