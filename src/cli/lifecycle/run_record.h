#pragma once

#include <string>

#include "base/result.h"

namespace plimsoll::cli {

/// Facts about a run of `plimsoll up`, which it stores in its data directory for `status` and
/// `down`. They stay after its end, because `down` must still find the merged kubeconfig.
struct RunRecord {
  int pid = 0;
  std::string version;
  std::string started;            // RFC 3339
  std::string cluster;            // name of the cluster
  std::string merged_kubeconfig;  // user's file that has the entries of the cluster; may be empty
};

/// Returns the absolute path of a data directory, in the form of which two are compared.
std::string AbsoluteDirectory(const std::string& path);

Status WriteRunRecord(const std::string& data_directory, const RunRecord& record);
/// NotFound: no run has left a record. BadRequest: the file is malformed.
Result<RunRecord> ReadRunRecord(const std::string& data_directory);

}  // namespace plimsoll::cli
