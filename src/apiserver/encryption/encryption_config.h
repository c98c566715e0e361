#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/encryption/transformer.h"
#include "base/result.h"

namespace plimsoll::apiserver {

/// An EncryptionConfiguration of apiserver.config.k8s.io/v1: the resources that are encrypted at
/// rest, and their providers. Immutable.
class EncryptionConfig {
 public:
  /// Parses YAML or JSON. Invalid: upstream's text, which names the field and never shows a key.
  static Result<EncryptionConfig> Parse(std::string_view text);
  /// Parses a file. Errors name the file.
  static Result<EncryptionConfig> Load(const std::string& path);

  /// Returns the transformer of the first rule that covers the resource, or null.
  std::shared_ptr<const Transformer> For(std::string_view group, std::string_view resource) const;

 private:
  struct Rule {
    std::vector<std::string> resources;  // `secrets`, `deployments.apps`, `*.`, `*.apps`, `*.*`
    std::shared_ptr<const Transformer> transformer;
  };

  std::vector<Rule> rules_;
};

}  // namespace plimsoll::apiserver
