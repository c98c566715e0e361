#include "apiserver/admission/admission_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "api/field_error.h"
#include "base/go_text.h"
#include "base/syntax.h"
#include "codec/strict_fields.h"
#include "codec/yaml.h"

namespace plimsoll::apiserver {
namespace {

using api::BadValue;
using api::FieldErrors;
using api::FieldPath;
using codec::StrictFields;

constexpr std::string_view kPodSecurity = "PodSecurity";
constexpr std::array<std::string_view, 3> kPodSecurityVersions = {
    "pod-security.admission.config.k8s.io/v1", "pod-security.admission.config.k8s.io/v1beta1",
    "pod-security.admission.config.k8s.io/v1alpha1"};

Result<std::unique_ptr<codec::Document>> ParseOne(std::string_view text) {
  auto documents = PL_TRY(codec::ParseYaml(text));
  if (documents.size() != 1) {
    return Fail(Reason::Invalid, fmt::format("want one document, got {}", documents.size()));
  }
  return std::move(documents.front());
}

/// Reads one mode's level and version from `defaults`.
void ReadMode(StrictFields& defaults, const std::string& mode, api::LevelVersion& out,
              FieldErrors& errors) {
  std::string level = "privileged";
  std::string version = "latest";
  const std::string version_key = mode + "-version";
  defaults.Read(mode, level);
  defaults.Read(version_key, version);
  const FieldPath at("defaults");
  if (const auto read = api::ParsePodSecurityLevel(level)) {
    out.level = *read;
  } else {
    errors.Invalid(at / mode, level, read.error().message);
  }
  if (const auto read = api::ParsePodSecurityVersion(version)) {
    out.version = *read;
  } else {
    errors.Invalid(at / version_key, version, read.error().message);
  }
}

/// Validates the names of one list of exemptions as upstream does.
ExemptNames CheckNames(const std::vector<std::string>& names, std::string_view key,
                       Faults (*check)(std::string_view), FieldErrors& errors) {
  const FieldPath root("exemptions");
  const FieldPath at = root / key;
  ExemptNames valid;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Faults faults = check == nullptr ? Faults() : check(names[i]);
    if (!faults.empty()) {
      errors.Invalid(at[i], names[i], fmt::format("{}", fmt::join(faults, ", ")));
    } else if (names[i].empty()) {
      errors.Required(at[i], "");
    } else if (!valid.insert(names[i]).second) {
      errors.Duplicate(at[i], BadValue::String(names[i]));
    }
  }
  return valid;
}

PodSecurityOptions ReadPodSecurity(StrictFields& root, FieldErrors& errors) {
  PodSecurityOptions options;
  std::string api_version;
  std::string kind;
  root.Read("apiVersion", api_version);
  root.Read("kind", kind);
  if (std::ranges::find(kPodSecurityVersions, api_version) == kPodSecurityVersions.end()) {
    root.Refuse("apiVersion", fmt::format("must be {}, got {}", kPodSecurityVersions.front(),
                                          GoQuote(api_version)));
  }
  if (kind != "PodSecurityConfiguration") {
    root.Refuse("kind", "must be PodSecurityConfiguration, got " + GoQuote(kind));
  }
  root.Object("defaults", [&](StrictFields& defaults) {
    ReadMode(defaults, "enforce", options.defaults.enforce, errors);
    ReadMode(defaults, "warn", options.defaults.warn, errors);
    ReadMode(defaults, "audit", options.defaults.audit, errors);
  });
  root.Object("exemptions", [&](StrictFields& exemptions) {
    std::vector<std::string> namespaces;
    std::vector<std::string> classes;
    std::vector<std::string> users;
    exemptions.Read("namespaces", namespaces);
    exemptions.Read("runtimeClasses", classes);
    exemptions.Read("usernames", users);
    options.namespaces = CheckNames(namespaces, "namespaces", CheckDns1123Label, errors);
    options.runtime_classes = CheckNames(classes, "runtimeClasses", CheckDns1123Subdomain, errors);
    options.usernames = CheckNames(users, "usernames", nullptr, errors);
  });
  return options;
}

Result<PodSecurityOptions> ParsePodSecurity(const codec::Value& tree, const std::string& at) {
  StrictFields::Fault fault;
  FieldErrors errors;
  PodSecurityOptions options;
  {
    StrictFields root(&tree, at, fault);
    options = ReadPodSecurity(root, errors);
  }
  if (fault) return std::unexpected(*fault);
  if (!errors.empty()) return Fail(Reason::Invalid, errors.Text());
  return options;
}

/// An entry of `plugins`.
struct PluginEntry {
  std::string name;
  std::string path;
  std::string at;
  const codec::Value* configuration = nullptr;
};

std::vector<PluginEntry> ReadPlugins(StrictFields& root) {
  std::string api_version;
  std::string kind;
  root.Read("apiVersion", api_version);
  root.Read("kind", kind);
  if (api_version != "apiserver.config.k8s.io/v1") {
    root.Refuse("apiVersion", "must be apiserver.config.k8s.io/v1, got " + GoQuote(api_version));
  }
  if (kind != "AdmissionConfiguration") {
    root.Refuse("kind", "must be AdmissionConfiguration, got " + GoQuote(kind));
  }
  std::vector<PluginEntry> plugins;
  root.List("plugins", [&](StrictFields& item) {
    PluginEntry& plugin = plugins.emplace_back();
    item.Read("name", plugin.name);
    item.Read("path", plugin.path);
    plugin.at = item.Path("configuration");
    plugin.configuration = item.Find("configuration");
    if (plugin.name != kPodSecurity) {
      item.Refuse("name", "the plugin " + GoQuote(plugin.name) +
                              " takes no configuration; PodSecurity is the only one that does");
    }
    if (std::ranges::count(plugins, plugin.name, &PluginEntry::name) > 1) {
      item.Refuse("name", GoQuote(plugin.name) + " is listed twice");
    }
    if (plugin.path.empty() == (plugin.configuration == nullptr)) {
      item.Refuse("", "must have either a path or a configuration");
    }
  });
  return plugins;
}

}  // namespace

Result<PodSecurityOptions> ParseAdmissionConfig(
    std::string_view text,
    const std::function<Result<std::string>(const std::string&)>& read_file) {
  const auto document = PL_TRY(ParseOne(text));
  StrictFields::Fault fault;
  std::vector<PluginEntry> plugins;
  {
    StrictFields root(&document->root(), "", fault);
    plugins = ReadPlugins(root);
  }
  if (fault) return std::unexpected(*fault);
  if (plugins.empty()) return PodSecurityOptions{};
  const PluginEntry& plugin = plugins.front();
  if (plugin.configuration != nullptr) return ParsePodSecurity(*plugin.configuration, plugin.at);
  const std::string own_text = PL_TRY(read_file(plugin.path));
  const auto own = PL_TRY(ParseOne(own_text));
  return ParsePodSecurity(own->root(), "");
}

}  // namespace plimsoll::apiserver
