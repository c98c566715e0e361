// Measures the resident memory of idle TLS connections with Asio. `asio_idle CERTIFICATE KEY
// [COUNT]`. The clients are another process, as in net_bench, whose row "idle watchers" is the
// figure for ours.

#include <openssl/ssl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <string>
#include <vector>

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using TlsStream = asio::ssl::stream<tcp::socket>;

double ResidentBytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  long pages = 0;
  long resident = 0;
  if (file == nullptr || std::fscanf(file, "%ld %ld", &pages, &resident) != 2) return 0;
  std::fclose(file);
  return static_cast<double>(resident * sysconf(_SC_PAGESIZE));
}

/// Connects, shakes hands, sends one request and waits until the server closes.
void RunClients(unsigned short port, int count, int stay_open) {
  asio::io_context context;
  asio::ssl::context tls(asio::ssl::context::tls_client);
  std::list<TlsStream> streams;
  for (int i = 0; i < count; ++i) {
    streams.emplace_back(context, tls);
    streams.back().next_layer().connect({asio::ip::address_v4::loopback(), port});
    streams.back().handshake(asio::ssl::stream_base::client);
    asio::write(streams.back(), asio::buffer("GET / HTTP/1.1\r\n\r\n", 18));
  }
  char byte = 0;
  static_cast<void>(!read(stay_open, &byte, 1));
  _exit(0);
}

class Server {
 public:
  Server(asio::io_context& context, asio::ssl::context& tls, tcp::acceptor& acceptor, int count)
      : context_(context), tls_(tls), acceptor_(acceptor), left_(count) {}

  void Accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) std::exit(1);
      streams_.emplace_back(std::move(socket), tls_);
      TlsStream& stream = streams_.back();
      stream.async_handshake(asio::ssl::stream_base::server, [this, &stream](auto failure) {
        if (failure) std::exit(1);
        Read(stream);
      });
      Accept();
    });
  }

 private:
  void Read(TlsStream& stream) {
    // All connections share the buffer, as those of one of our loops do.
    stream.async_read_some(asio::buffer(buffer_), [this, &stream](auto failure, std::size_t) {
      if (failure) return;
      if (--left_ == 0) context_.stop();
      Read(stream);
    });
  }

  asio::io_context& context_;
  asio::ssl::context& tls_;
  tcp::acceptor& acceptor_;
  int left_;
  std::list<TlsStream> streams_;
  std::vector<char> buffer_ = std::vector<char>(64u << 10);
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const int count = argc > 3 ? std::atoi(argv[3]) : 2000;
  asio::io_context context;
  asio::ssl::context tls(asio::ssl::context::tls_server);
  tls.use_certificate_chain_file(argv[1]);
  tls.use_private_key_file(argv[2], asio::ssl::context::pem);
  // Same as net/tls.cc: OpenSSL frees its buffers while a connection is idle.
  SSL_CTX_set_mode(tls.native_handle(), SSL_MODE_RELEASE_BUFFERS);
  tcp::acceptor acceptor(context, {asio::ip::address_v4::loopback(), 0});
  int ends[2];
  if (pipe(ends) != 0) return 1;
  const unsigned short port = acceptor.local_endpoint().port();
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    RunClients(port, count, ends[0]);
  }
  const double before = ResidentBytes();
  Server server(context, tls, acceptor, count);
  server.Accept();
  context.run();
  std::printf("%d idle TLS connections with Asio: %.1f KB each\n", count,
              (ResidentBytes() - before) / 1e3 / count);
  close(ends[1]);
  waitpid(child, nullptr, 0);
}
