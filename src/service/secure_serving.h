#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "client/client.h"
#include "runner/delegated_auth.h"

namespace plimsoll::service {

/// Secure port of a component, with health and metrics endpoints. The flags have upstream's names.
struct SecureServingOptions {
  std::string address = "127.0.0.1";           // --bind-address
  std::uint16_t port = 0;                      // --secure-port; 0: none
  std::string authentication_kubeconfig = {};  // empty: the component's own
  std::string authorization_kubeconfig = {};   // empty: the component's own
  std::vector<std::string> always_allow_paths = {"/healthz", "/readyz", "/livez"};
  std::string client_ca_file = {};  // empty: no client certificates
  bool has_profiling = true;        // --profiling
};

/// Decides who may read the endpoints of a secure port, by asking an API server.
class SecureServingAuth {
 public:
  /// `kubeconfig` replaces those that are empty in `options`. Returns an error if a file cannot be
  /// read.
  static Result<std::unique_ptr<SecureServingAuth>> Make(const SecureServingOptions& options,
                                                         const std::string& kubeconfig,
                                                         Clock& clock);

  runner::DelegatedAuth& auth() { return auth_; }
  const std::string& client_ca_pem() const { return client_ca_pem_; }

 private:
  SecureServingAuth(std::unique_ptr<client::Client> authentication,
                    std::unique_ptr<client::Client> authorization, std::string client_ca_pem,
                    std::vector<std::string> always_allow_paths, const Clock& clock)
      : authentication_(std::move(authentication)),
        authorization_(std::move(authorization)),
        client_ca_pem_(std::move(client_ca_pem)),
        auth_({*authentication_, *authorization_}, clock, std::move(always_allow_paths)) {}

  const std::unique_ptr<client::Client> authentication_;
  const std::unique_ptr<client::Client> authorization_;
  const std::string client_ca_pem_;
  runner::DelegatedAuth auth_;
};

}  // namespace plimsoll::service
