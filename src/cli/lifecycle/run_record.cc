#include "cli/lifecycle/run_record.h"

#include <cstdint>
#include <filesystem>
#include <limits>

#include "base/file.h"
#include "codec/build.h"
#include "codec/json.h"
#include "codec/value_at.h"

namespace plimsoll::cli {
namespace {

using codec::Value;

std::string PathIn(const std::string& data_directory) { return data_directory + "/run.json"; }

}  // namespace

std::string AbsoluteDirectory(const std::string& path) {
  std::error_code ignored;
  std::string absolute = std::filesystem::absolute(path, ignored).lexically_normal().string();
  while (absolute.size() > 1 && absolute.ends_with('/')) absolute.pop_back();
  return absolute;
}

Status WriteRunRecord(const std::string& data_directory, const RunRecord& record) {
  codec::Document document;
  const Value root =
      codec::ObjectOf(document, {{"pid", Value::Int(record.pid)},
                                 {"version", Value::String(record.version)},
                                 {"started", Value::String(record.started)},
                                 {"cluster", Value::String(record.cluster)},
                                 {"mergedKubeconfig", Value::String(record.merged_kubeconfig)}});
  return WriteFile(PathIn(data_directory), codec::WriteJsonPretty(root) + "\n");
}

Result<RunRecord> ReadRunRecord(const std::string& data_directory) {
  const auto document = PL_TRY(codec::ParseJson(PL_TRY(ReadFile(PathIn(data_directory)))));
  const Value& root = document->root();
  const Value* const pid = root.Find("pid");
  if (pid == nullptr || !pid->is_int() || pid->AsInt() <= 0 ||
      pid->AsInt() > std::numeric_limits<int>::max()) {
    return Fail(Reason::BadRequest, PathIn(data_directory) + ": pid: want a number above 0");
  }
  return RunRecord{.pid = static_cast<int>(pid->AsInt()),
                   .version = std::string(TextAt(root, "version")),
                   .started = std::string(TextAt(root, "started")),
                   .cluster = std::string(TextAt(root, "cluster")),
                   .merged_kubeconfig = std::string(TextAt(root, "mergedKubeconfig"))};
}

}  // namespace plimsoll::cli
