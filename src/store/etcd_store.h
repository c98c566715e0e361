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
  std::string prefix = "/registry";    // of the keys in etcd
  std::string root = "/registry";      // of the store's own keys, which the prefix stands for
  // PEM; empty: the machine's authorities, and no certificate of our own.
  std::string authorities;
  std::string certificate;
  std::string key;
  // The files of the three, which are read again when they change; empty: they never do.
  std::string authorities_file;
  std::string certificate_file;
  std::string key_file;
  // Empty: no user.
  std::string user;
  std::string password;
  std::chrono::milliseconds timeout{5'000};  // of one attempt with one member
  HistoryBounds history;                     // what this store lets etcd forget
};

/// The store on etcd, for as many servers as want to share it. A revision is etcd's, which counts
/// the changes of other keys as well; after BumpRevision it is etcd's plus an offset that lies in
/// etcd.
///
/// Writes of one key are applied in the order of their asking; of several keys on their way at once
/// etcd decides the order. A write whose fate etcd did not tell is resolved by reading the key back
/// where that proves it, and is a Timeout otherwise; it never takes effect twice.
///
/// Invalid: the endpoints cannot be read. Otherwise as ErrorOf has it: no member answers, or etcd
/// refuses. The clock and the logger must outlive the store, and so must the metrics unless they
/// are null; with metrics, the clock must be safe for use by many threads.
Result<std::unique_ptr<Store>> OpenEtcdStore(EtcdOptions options, Clock& clock, Logger& logger,
                                             MetricsRegistry* metrics);

}  // namespace plimsoll::store
