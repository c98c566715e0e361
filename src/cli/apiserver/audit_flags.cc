#include "cli/apiserver/audit_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flags/choice.h"
#include "cli/flags/duration_flag.h"
#include "cli/flags/number_checks.h"

namespace plimsoll::cli {
namespace {

void AddRotationFlags(CLI::App& command, AuditFlags& flags) {
  RequireInteger(
      command.add_option("--audit-log-maxage", flags.maxage,
                         "Days after which rotated audit log files are deleted. 0 keeps all"),
      0, 36'500);
  RequireInteger(command.add_option("--audit-log-maxbackup", flags.maxbackup,
                                    "Number of rotated audit log files to keep. 0 keeps all"),
                 0, 1'000'000);
  RequireInteger(
      command.add_option("--audit-log-maxsize", flags.maxsize,
                         "Size in megabytes at which the audit log file is rotated. 0 means 100"),
      0, 1'048'576);
  command.add_flag("--audit-log-compress", flags.is_compressed,
                   "Compress rotated audit log files with gzip");
}

void AddBatchFlags(CLI::App& command, AuditFlags& flags) {
  RequireInteger(
      command.add_option(
          "--audit-log-batch-buffer-size", flags.batch_buffer_size,
          "Events that may wait to be written, in batch mode. Further events are lost and counted"),
      1, 10'000'000);
  RequireInteger(command.add_option("--audit-log-batch-max-size", flags.batch_max_size,
                                    "Maximum number of events in one write, in batch mode"),
                 1, 10'000'000);
  command
      .add_option("--audit-log-batch-max-wait", flags.batch_max_wait,
                  "Time that a write waits for more events, in batch mode")
      ->type_name("DURATION");
  command.add_flag("--audit-log-batch-throttle-enable", flags.is_batch_throttled,
                   "Limit the rate of writes, in batch mode");
  RequirePositive(
      command.add_option("--audit-log-batch-throttle-qps", flags.batch_throttle_qps,
                         "Average number of writes per second, in batch mode with throttling"),
      1'000'000);
  RequireInteger(command.add_option("--audit-log-batch-throttle-burst", flags.batch_throttle_burst,
                                    "Writes at once after a pause, in batch mode with throttling"),
                 1, 1'000'000);
}

void AddTruncateFlags(CLI::App& command, AuditFlags& flags) {
  command.add_flag("--audit-log-truncate-enabled", flags.is_truncating,
                   "Remove request and response objects from events that are too large");
  RequireInteger(
      command.add_option("--audit-log-truncate-max-event-size", flags.truncate_max_event_size,
                         "Maximum size of an event in bytes. A larger one loses its objects; if it "
                         "is still too large, it is dropped"),
      1, 2'147'483'647);
  RequireInteger(
      command.add_option("--audit-log-truncate-max-batch-size", flags.truncate_max_batch_size,
                         "Maximum size of one write in bytes"),
      1, 2'147'483'647);
}

apiserver::AuditMode ModeOf(const std::string& text) {
  if (text == "blocking") return apiserver::AuditMode::Blocking;
  return text == "batch" ? apiserver::AuditMode::Batch : apiserver::AuditMode::BlockingStrict;
}

}  // namespace

void AddAuditFlags(CLI::App& command, AuditFlags& flags) {
  command
      .add_option("--audit-policy-file", flags.policy_file,
                  "Audit Policy (audit.k8s.io/v1): level of detail by request. Without this flag "
                  "the metadata of all requests is logged")
      ->type_name("FILE");
  command
      .add_option("--audit-log-path", flags.path,
                  "File that audit events are written to; - is standard output")
      ->type_name("FILE|-");
  RequireOneOf(command.add_option("--audit-log-format", flags.format, "Format of audit events"),
               {"json", "legacy"});
  RequireOneOf(command.add_option(
                   "--audit-log-mode", flags.mode,
                   "Time of the writes: `batch` in the background, `blocking` before the response. "
                   "`blocking-strict` also rejects requests whose event cannot be written"),
               {"batch", "blocking", "blocking-strict"});
  AddRotationFlags(command, flags);
  AddBatchFlags(command, flags);
  AddTruncateFlags(command, flags);
}

Result<apiserver::AuditOptions> AuditOptionsOf(const AuditFlags& flags) {
  if (flags.path.empty() && !flags.policy_file.empty()) {
    return Fail(Reason::Invalid,
                "--audit-policy-file has no effect without --audit-log-path; give both");
  }
  if (flags.truncate_max_batch_size < flags.truncate_max_event_size) {
    return Fail(Reason::Invalid,
                "--audit-log-truncate-max-batch-size must not be less than "
                "--audit-log-truncate-max-event-size");
  }
  apiserver::AuditOptions options;
  options.policy_file = flags.policy_file;
  options.format =
      flags.format == "json" ? apiserver::AuditFormat::Json : apiserver::AuditFormat::Legacy;
  options.is_truncating = flags.is_truncating;
  options.event_bytes_max = static_cast<std::size_t>(flags.truncate_max_event_size);
  options.log.path = flags.path;
  options.log.mode = ModeOf(flags.mode);
  const int megabytes = flags.maxsize == 0 ? 100 : flags.maxsize;
  options.log.rotation = {.bytes_max = static_cast<std::uint64_t>(megabytes) << 20U,
                          .backups_max = flags.maxbackup,
                          .days_max = flags.maxage,
                          .is_compressed = flags.is_compressed};
  apiserver::AuditBatchOptions& batch = options.log.batch;
  batch.buffer_events = static_cast<std::size_t>(flags.batch_buffer_size);
  batch.events_max = static_cast<std::size_t>(flags.batch_max_size);
  batch.bytes_max = static_cast<std::size_t>(flags.truncate_max_batch_size);
  if (!flags.batch_max_wait.empty()) {
    batch.wait_max = PL_TRY(ParseDurationFlag("--audit-log-batch-max-wait", flags.batch_max_wait));
  }
  batch.is_throttled = flags.is_batch_throttled;
  batch.writes_per_second = flags.batch_throttle_qps;
  batch.burst = flags.batch_throttle_burst;
  return options;
}

}  // namespace plimsoll::cli
