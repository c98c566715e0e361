#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "net/client.h"
#include "process.h"

namespace plimsoll::bench {

/// Runs `plimsoll apiserver` or `up` in its own process.
class ServerProcess {
 public:
  /// `words` are the command and further flags. Returns when /readyz answers ok.
  ServerProcess(const std::string& program, const std::string& directory,
                const std::vector<std::string>& words = {"apiserver"});

  const std::string& url() const { return url_; }
  /// Client certificate of the administrator.
  const net::ClientTls& tls() const { return tls_; }
  /// Time from the start of the program until it was ready.
  double start_seconds() const { return start_seconds_; }

  /// Sends a request and returns the body. Asserts that the status is `status`.
  std::string Call(const std::string& method, const std::string& target, const std::string& body,
                   int status, const std::string& type = "application/json");

  double ProcessorSeconds() const { return process_.ProcessorSeconds(); }
  std::size_t ResidentBytes() const { return process_.ResidentBytes(); }

 private:
  void AwaitReady(const std::string& directory);

  const std::string port_;
  const std::string url_;
  Process process_;
  std::shared_ptr<net::Transport> transport_;  // for Call, which reuses its connection
  net::ClientTls tls_;
  double start_seconds_ = 0;
};

}  // namespace plimsoll::bench
