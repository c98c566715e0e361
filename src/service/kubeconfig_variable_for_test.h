#pragma once

#include <cstdlib>
#include <string>

namespace plimsoll::service {

/// Sets $KUBECONFIG during its lifetime.
class KubeconfigVariable {
 public:
  explicit KubeconfigVariable(const std::string& value) {
    if (const char* const before = std::getenv("KUBECONFIG")) before_ = before;
    setenv("KUBECONFIG", value.c_str(), 1);
  }
  ~KubeconfigVariable() {
    if (before_.empty()) {
      unsetenv("KUBECONFIG");
    } else {
      setenv("KUBECONFIG", before_.c_str(), 1);
    }
  }
  KubeconfigVariable(const KubeconfigVariable&) = delete;
  KubeconfigVariable& operator=(const KubeconfigVariable&) = delete;

 private:
  std::string before_;
};

}  // namespace plimsoll::service
