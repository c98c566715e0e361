#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"
#include "store/store.h"

namespace plimsoll::store {

struct EtcdOptions {
  std::vector<std::string> endpoints;  // https://host:port, of some or all members
  std::string prefix = "/registry";    // prefix of the keys in etcd
  std::string root = "/registry";      // prefix of the store's keys, replaced by `prefix`
  // PEM. Empty: the system's root certificates, and no client certificate.
  std::string authorities;
  std::string certificate;
  std::string key;
  // Files with the three texts above, reloaded when they change. Empty: never reloaded.
  std::string authorities_file;
  std::string certificate_file;
  std::string key_file;
  // Empty: no authentication.
  std::string user;
  std::string password;
  std::chrono::milliseconds timeout{5'000};  // of one attempt with one member
  HistoryBounds history;                     // history that this server keeps in etcd
};

/// Opens the store on etcd, which any number of servers may share. Its revisions are etcd's, which
/// also count changes of other keys. After BumpRevision they are etcd's plus an offset stored in
/// etcd.
///
/// Writes of one key are applied in the order of the Commit calls; etcd decides the order of
/// concurrent writes of different keys. A write whose outcome is unknown is resolved by reading the
/// key back if that proves it, and is a Timeout otherwise. It never takes effect twice.
///
/// Invalid: an endpoint cannot be parsed. Otherwise see ErrorOf: no member answers, or etcd rejects
/// the request. The clock, the logger and the metrics (which may be null) must outlive the store.
/// With metrics, the clock must be safe for use by many threads.
Result<std::unique_ptr<Store>> OpenEtcdStore(EtcdOptions options, Clock& clock, Logger& logger,
                                             MetricsRegistry* metrics);

}  // namespace plimsoll::store
