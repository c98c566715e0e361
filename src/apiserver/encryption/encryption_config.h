#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/encryption/transformer.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// An EncryptionConfiguration of apiserver.config.k8s.io/v1: which resources are encrypted at rest,
/// and how. Immutable.
class EncryptionConfig {
 public:
  /// YAML or JSON. Invalid, in upstream's words and with the field at fault; keys are never quoted.
  static Result<EncryptionConfig> Parse(std::string_view text);
  /// The same of a file, which is named in errors.
  static Result<EncryptionConfig> Load(const std::string& path);

  /// Of the first rule that covers the resource; null when none does.
  std::shared_ptr<const Transformer> For(std::string_view group, std::string_view resource) const;

 private:
  struct Rule {
    std::vector<std::string> resources;  // `secrets`, `deployments.apps`, `*.`, `*.apps`, `*.*`
    std::shared_ptr<const Transformer> transformer;
  };

  std::vector<Rule> rules_;
};

}  // namespace plimsoll::apiserver
