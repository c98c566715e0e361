#include "cli/history/history.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <ostream>

#include "api/plimsoll/eviction_record.h"
#include "base/real_clock.h"
#include "base/time_arithmetic.h"
#include "cli/explain/cluster_reader.h"
#include "cli/flags/choice.h"
#include "cli/flags/common_flags.h"
#include "cli/flags/duration_flag.h"
#include "cli/history/history_filter.h"
#include "cli/manifest/manifest_files.h"
#include "cli/output/failure.h"
#include "cli/output/json_fields.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"
#include "codec/document.h"

namespace plimsoll::cli {
namespace {

using api::EvictionRecordEntry;
using codec::Document;
using codec::Value;

struct Records {
  std::vector<ObjectPtr> objects;
  std::string namespace_ = "default";
};

Result<Records> Read(const HistoryOptions& options, Clock& clock, Context& context) {
  Records out;
  if (options.files.empty()) {
    const ClusterReader server =
        PL_TRY(ClusterReader::Connect(options.kubeconfig, options.kube_context, clock));
    if (!server.namespace_().empty()) out.namespace_ = server.namespace_();
    out.objects = PL_TRY(server.List({"plimsoll.io", "v1alpha1", "EvictionRecord"}, {}));
  } else {
    for (const Manifest& manifest : PL_TRY(ReadValidManifests(options.files, {}, context))) {
      out.objects.push_back(manifest.object);
    }
  }
  if (!options.namespace_.empty()) out.namespace_ = options.namespace_;
  return out;
}

std::vector<const EvictionRecordEntry*> Select(const Records& records, const HistoryFilter& filter,
                                               Instant since) {
  std::vector<const EvictionRecordEntry*> found;
  for (const ObjectPtr& object : records.objects) {
    const auto* const record = object->As<api::EvictionRecord>();
    if (record == nullptr) continue;
    for (const EvictionRecordEntry& entry : record->entries) {
      const Result<Instant> time = ParseTime(entry.time);
      if (time && *time >= since && filter.Matches(entry)) found.push_back(&entry);
    }
  }
  // All times have the same form, so they sort like texts.
  std::ranges::stable_sort(found, {}, [](const EvictionRecordEntry* entry) { return entry->time; });
  return found;
}

std::string OrNone(std::string_view text) { return text.empty() ? "<none>" : std::string(text); }

std::string Details(const EvictionRecordEntry& entry) {
  std::string text;
  const auto add = [&](std::string_view word, std::string_view value) {
    if (value.empty()) return;
    text.append(text.empty() ? "" : ", ").append(word).append(value);
  };
  add("was ", entry.value_before);
  add("due ", entry.due);
  add("replaced by ", entry.replacement);
  add("", entry.message);
  return OrNone(text);
}

void PrintEntries(const std::vector<const EvictionRecordEntry*>& entries, Context& context) {
  std::vector<std::vector<Cell>> rows;
  for (const EvictionRecordEntry* const entry : entries) {
    const std::string pod = entry->pod.empty()
                                ? std::string()
                                : std::string(entry->namespace_) + "/" + std::string(entry->pod);
    rows.push_back({std::string(entry->time), std::string(entry->type), OrNone(entry->node),
                    OrNone(pod), OrNone(entry->taint),
                    OrNone(entry->rule.empty() ? entry->manager : entry->rule), Details(*entry)});
  }
  PrintTable({"TIME", "EVENT", "NODE", "POD", "TAINT", "BY", "DETAILS"}, rows, context.out_look,
             context.out);
}

void PrintTree(const std::vector<const EvictionRecordEntry*>& entries, OutputFormat format,
               std::ostream& out) {
  Document document;
  Value list = document.NewArray(entries.size());
  for (const EvictionRecordEntry* const entry : entries) {
    Value tree = document.NewObject();
    SetText(document, tree, "time", entry->time);
    SetText(document, tree, "type", entry->type);
    SetText(document, tree, "node", entry->node);
    SetText(document, tree, "namespace", entry->namespace_);
    SetText(document, tree, "pod", entry->pod);
    SetText(document, tree, "uid", entry->uid);
    SetText(document, tree, "workload", entry->workload);
    SetText(document, tree, "taint", entry->taint);
    SetText(document, tree, "valueBefore", entry->value_before);
    SetText(document, tree, "manager", entry->manager);
    SetText(document, tree, "rule", entry->rule);
    SetText(document, tree, "due", entry->due);
    SetText(document, tree, "replacement", entry->replacement);
    SetText(document, tree, "message", entry->message);
    document.Append(list, tree);
  }
  WriteTree(list, format, out);
}

Status History(const HistoryOptions& options, Context& context) {
  RealClock clock;
  const Duration since = PL_TRY(ParseDurationFlag("--since", options.since));
  const Records records = PL_TRY(Read(options, clock, context));
  const HistoryFilter filter(options.kind, options.name, records.namespace_);
  const auto entries = Select(records, filter, SaturatingAdd(clock.Now(), -since));
  if (IsTree(options.output)) {
    PrintTree(entries, options.output, context.out);
  } else if (entries.empty()) {
    context.err << "No history found\n";
  } else {
    PrintEntries(entries, context);
  }
  return {};
}

}  // namespace

void AddHistoryFlags(CLI::App& command, HistoryOptions& options) {
  RequireOneOf(command.add_option("kind", options.kind, "Kind of the thing")->required(),
               {"pod", "node", "workload", "rule"});
  command
      .add_option("name", options.name,
                  "Its name. A workload may be KIND/NAME; a rule is a NodeTaintRule, a "
                  "DeviceTaintRule or an EvictionPolicy")
      ->required()
      ->type_name("NAME");
  command
      .add_option("-n,--namespace", options.namespace_,
                  "Namespace of the pod or workload; that of the context if unset")
      ->type_name("NAMESPACE");
  command.add_option("--since", options.since, "Only facts of this duration until now")
      ->type_name("DURATION")
      ->capture_default_str();
  command
      .add_option("-f,--filename", options.files,
                  "Manifests of EvictionRecords. With them the command needs no API server")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Json, OutputFormat::Yaml});
  AddServerFlags(command, options.kubeconfig, options.kube_context);
}

int RunHistory(const HistoryOptions& options, Context& context) {
  const Status status = History(options, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
