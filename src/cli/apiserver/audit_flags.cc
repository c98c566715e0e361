#include "cli/apiserver/audit_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flags/duration_flag.h"
#include "cli/flags/number_checks.h"

namespace plimsoll::cli {
namespace {

void AddRotationFlags(CLI::App& command, AuditFlags& flags) {
  RequireInteger(command.add_option("--audit-log-maxage", flags.maxage,
                                    "Days to keep rotated audit log files; 0 keeps all"),
                 0, 36'500);
  RequireInteger(command.add_option("--audit-log-maxbackup", flags.maxbackup,
                                    "Rotated audit log files to keep; 0 keeps all"),
                 0, 1'000'000);
  RequireInteger(
      command.add_option(
          "--audit-log-maxsize", flags.maxsize,
          "Megabytes that the audit log file may have before it is rotated; 0 means 100"),
      0, 1'048'576);
  command.add_flag("--audit-log-compress", flags.is_compressed,
                   "Compress rotated audit log files with gzip");
}

void AddBatchFlags(CLI::App& command, AuditFlags& flags) {
  RequireInteger(command.add_option("--audit-log-batch-buffer-size", flags.batch_buffer_size,
                                    "Events that wait for the disk at most; batch mode only"),
                 1, 10'000'000);
  RequireInteger(command.add_option("--audit-log-batch-max-size", flags.batch_max_size,
                                    "Events that are written at once at most; batch mode only"),
                 1, 10'000'000);
  command
      .add_option("--audit-log-batch-max-wait", flags.batch_max_wait,
                  "How long a write waits for more events; batch mode only")
      ->type_name("DURATION");
  command.add_flag("--audit-log-batch-throttle-enable", flags.is_batch_throttled,
                   "Limit the rate of writes; batch mode only");
  RequirePositive(command.add_option("--audit-log-batch-throttle-qps", flags.batch_throttle_qps,
                                     "Average number of writes a second; batch mode only"));
  RequireInteger(command.add_option("--audit-log-batch-throttle-burst", flags.batch_throttle_burst,
                                    "Writes at once after a pause; batch mode only"),
                 1, 1'000'000);
}

void AddTruncateFlags(CLI::App& command, AuditFlags& flags) {
  command.add_flag("--audit-log-truncate-enabled", flags.is_truncating,
                   "Leave the objects out of events that are too large");
  RequireInteger(
      command.add_option("--audit-log-truncate-max-event-size", flags.truncate_max_event_size,
                         "Bytes of an event; a larger one loses its objects, and is dropped if "
                         "that does not help"),
      1, 2'147'483'647);
  RequireInteger(
      command.add_option("--audit-log-truncate-max-batch-size", flags.truncate_max_batch_size,
                         "Bytes that are written at once at most"),
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
                  "A Policy of audit.k8s.io/v1: which requests are audited, and how much of them; "
                  "without it the metadata of all requests")
      ->type_name("FILE");
  command
      .add_option("--audit-log-path", flags.path,
                  "Write audit events to this file; - for standard output")
      ->type_name("FILE|-");
  command.add_option("--audit-log-format", flags.format, "Format of audit events: json or legacy")
      ->check(CLI::IsMember({"json", "legacy"}));
  command
      .add_option("--audit-log-mode", flags.mode,
                  "batch: write in the background. blocking: respond after the event is written. "
                  "blocking-strict: also refuse requests that cannot be audited")
      ->check(CLI::IsMember({"batch", "blocking", "blocking-strict"}));
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
