#include "cli/flags/etcd_flags.h"

#include <CLI/CLI.hpp>

#include "base/file.h"

namespace plimsoll::cli {
namespace {

Result<std::string> ReadIfNamed(const std::string& path) {
  if (path.empty()) return std::string();
  return ReadFile(path);
}

}  // namespace

void AddEtcdAccessFlags(CLI::App& command, EtcdAccess& access) {
  command.add_option("--etcd-prefix", access.prefix, "Prefix of all keys in etcd")
      ->type_name("PATH");
  command.add_option("--etcd-cafile", access.ca_file, "CA that verifies the certificates of etcd")
      ->type_name("FILE");
  command.add_option("--etcd-certfile", access.cert_file, "Client certificate for etcd")
      ->type_name("FILE");
  command.add_option("--etcd-keyfile", access.key_file, "Key of --etcd-certfile")
      ->type_name("FILE");
  command
      .add_option("--etcd-userfile", access.user_file, "File with the line user:password for etcd")
      ->type_name("FILE");
}

Result<store::EtcdOptions> ReadEtcdOptions(const std::vector<std::string>& servers,
                                           const EtcdAccess& access) {
  store::EtcdOptions etcd;
  etcd.endpoints = servers;
  etcd.prefix = access.prefix;
  etcd.authorities = PL_TRY(ReadIfNamed(access.ca_file));
  etcd.certificate = PL_TRY(ReadIfNamed(access.cert_file));
  etcd.key = PL_TRY(ReadIfNamed(access.key_file));
  etcd.authorities_file = access.ca_file;
  etcd.certificate_file = access.cert_file;
  etcd.key_file = access.key_file;
  if (access.user_file.empty()) return etcd;
  std::string line = PL_TRY(ReadFile(access.user_file));
  while (line.ends_with('\n')) line.pop_back();
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos || colon == 0) {
    return Fail(Reason::Invalid, access.user_file + ": want user:password");
  }
  etcd.user = line.substr(0, colon);
  etcd.password = line.substr(colon + 1);
  return etcd;
}

}  // namespace plimsoll::cli
