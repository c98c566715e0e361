#include "cli/devices/get_devices.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ostream>
#include <vector>

#include "api/core/taint.h"
#include "base/real_clock.h"
#include "cli/connect.h"
#include "cli/devices/device_snapshot.h"
#include "cli/devices/device_text.h"
#include "cli/flags/common_flags.h"
#include "cli/output/display_width.h"
#include "cli/output/failure.h"
#include "cli/output/table.h"
#include "cli/output/tree_output.h"
#include "codec/build.h"

namespace plimsoll::cli {
namespace {

using codec::Document;
using codec::ObjectOf;
using codec::Value;

/// A row of the output.
struct Row {
  std::string driver;
  std::string pool;
  std::string device;
  std::string node;  // empty: not bound to one node
  const dra::TrackedDevice* published = nullptr;
  std::vector<DeviceUse> uses;
  std::vector<dra::DeviceTaintSource> taints;
};

std::vector<Row> RowsOf(const DeviceSnapshot& snapshot, const GetDevicesOptions& options) {
  std::vector<Row> rows;
  for (const dra::TrackedDevice* const device : snapshot.Published()) {
    const api::ResourceSlice& slice = *device->slice->view;
    const std::string_view name = device->device->name;
    rows.push_back({std::string(slice.driver),
                    std::string(slice.pool.name),
                    std::string(name),
                    NodeOfDevice(*device),
                    device,
                    snapshot.UsesOf(slice.driver, slice.pool.name, name),
                    {device->taints.begin(), device->taints.end()}});
  }
  for (const std::span<const DeviceUse> uses : snapshot.UsesOfUnpublished()) {
    const api::DeviceResult& its = *uses.front().result;
    rows.push_back({std::string(its.driver),
                    std::string(its.pool),
                    std::string(its.device),
                    {},
                    nullptr,
                    {uses.begin(), uses.end()},
                    snapshot.tracker().RuleTaintsOf(its.driver, its.pool, its.device)});
  }
  std::erase_if(rows, [&](const Row& row) {
    return (!options.driver.empty() && row.driver != options.driver) ||
           (!options.node.empty() && row.node != options.node) ||
           (options.tainted_only && row.taints.empty());
  });
  return rows;
}

std::string Joined(std::vector<std::string> texts) {
  // A claim may have several shares of a device.
  texts.erase(std::ranges::unique(texts).begin(), texts.end());
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return joined.empty() ? "<none>" : joined;
}

std::string ClaimsOf(const Row& row) {
  std::vector<std::string> names;
  for (const DeviceUse& use : row.uses) {
    names.push_back(std::string(use.view().metadata.namespace_) + "/" +
                    std::string(use.view().metadata.name));
  }
  return Joined(std::move(names));
}

std::string PodsOf(const Row& row) {
  std::vector<std::string> names;
  for (const DeviceUse& use : row.uses) {
    for (const api::ConsumerReference& consumer : use.view().reserved_for) {
      names.emplace_back(consumer.name);
    }
  }
  return Joined(std::move(names));
}

std::string TaintsOf(const Row& row) {
  std::vector<std::string> texts;
  for (const dra::DeviceTaintSource& taint : row.taints) {
    texts.push_back(api::ToText(*taint.taint) + " (" + TaintSourceText(taint) + ")");
  }
  return Joined(std::move(texts));
}

std::string FactsText(const DeviceFactTexts& facts) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : facts) texts.push_back(name + "=" + value);
  return Joined(std::move(texts));
}

std::string AttributesText(const Row& row) {
  return FactsText(row.published == nullptr ? DeviceFactTexts()
                                            : AttributesOf(*row.published->device));
}

std::string CapacityText(const Row& row) {
  return FactsText(row.published == nullptr ? DeviceFactTexts()
                                            : CapacityOf(*row.published->device));
}

Style TaintStyle(const Row& row) {
  if (row.taints.empty()) return Style::Plain;
  const bool is_blocking = std::ranges::any_of(row.taints, [](const auto& taint) {
    return taint.taint->effect != api::device_effect::kNone;
  });
  return is_blocking ? Style::Bad : Style::Warning;
}

void PrintRows(const std::vector<Row>& rows, bool is_wide, Context& context) {
  std::vector<std::string> header = {"DEVICE", "NODE", "CLAIM", "POD", "TAINTS"};
  if (is_wide) header.insert(header.end(), {"ATTRIBUTES", "CAPACITY"});
  std::vector<std::vector<Cell>> cells;
  for (const Row& row : rows) {
    Cell node = row.node.empty() ? "<none>" : row.node;
    if (row.published == nullptr) node = {"<unpublished>", Style::Warning};
    cells.push_back({DeviceName(row.driver, row.pool, row.device), std::move(node), ClaimsOf(row),
                     PodsOf(row), Cell(TaintsOf(row), TaintStyle(row))});
    if (is_wide) cells.back().insert(cells.back().end(), {AttributesText(row), CapacityText(row)});
  }
  PrintTable(header, cells, context.out_look, context.out);
}

Value UsesJson(Document& document, const Row& row) {
  Value uses = document.NewArray();
  for (const DeviceUse& use : row.uses) {
    const api::ResourceClaim& claim = use.view();
    Value pods = document.NewArray();
    for (const api::ConsumerReference& consumer : claim.reserved_for) {
      document.Append(pods, Value::String(consumer.name));
    }
    document.Append(uses,
                    ObjectOf(document, {{"namespace", Value::String(claim.metadata.namespace_)},
                                        {"claim", Value::String(claim.metadata.name)},
                                        {"request", Value::String(use.result->request)},
                                        {"pods", pods}}));
  }
  return uses;
}

Value TaintsJson(Document& document, const Row& row) {
  Value taints = document.NewArray();
  for (const dra::DeviceTaintSource& taint : row.taints) {
    document.Append(taints,
                    ObjectOf(document, {{"key", Value::String(taint.taint->key)},
                                        {"value", Value::String(taint.taint->value)},
                                        {"effect", Value::String(taint.taint->effect)},
                                        {"timeAdded", Value::String(taint.taint->time_added)},
                                        {"source", document.NewString(TaintSourceText(taint))}}));
  }
  return taints;
}

Value RowsTree(const std::vector<Row>& rows, Document& document) {
  Value all = document.NewArray();
  for (const Row& row : rows) {
    document.Append(all, ObjectOf(document, {{"driver", Value::String(row.driver)},
                                             {"pool", Value::String(row.pool)},
                                             {"device", Value::String(row.device)},
                                             {"node", Value::String(row.node)},
                                             {"published", Value::Bool(row.published != nullptr)},
                                             {"claims", UsesJson(document, row)},
                                             {"taints", TaintsJson(document, row)}}));
  }
  return all;
}

}  // namespace

void AddGetDevicesFlags(CLI::App& command, GetDevicesOptions& options) {
  AddOutputFlag(command, options.output,
                {OutputFormat::Text, OutputFormat::Wide, OutputFormat::Json, OutputFormat::Yaml,
                 OutputFormat::Name});
  command.add_option("--driver", options.driver, "Show only the devices of this driver")
      ->type_name("DRIVER");
  command.add_option("--node", options.node, "Show only the devices of this node")
      ->type_name("NODE");
  command.add_flag("--tainted", options.tainted_only, "Show only devices that have taints");
  AddServerFlags(command, options.kubeconfig, options.kube_context);
}

Status GetDevices(const GetDevicesOptions& options, const client::Client& client,
                  Context& context) {
  const auto snapshot = PL_TRY(DeviceSnapshot::Load(client));
  const std::vector<Row> rows = RowsOf(*snapshot, options);
  if (IsTree(options.output)) {
    Document document;
    WriteTree(RowsTree(rows, document), options.output, context.out);
  } else if (rows.empty()) {
    context.err << "No devices found\n";
  } else if (options.output == OutputFormat::Name) {
    for (const Row& row : rows) {
      context.out << "device/" << Printable(DeviceName(row.driver, row.pool, row.device)) << '\n';
    }
  } else {
    PrintRows(rows, options.output == OutputFormat::Wide, context);
  }
  return {};
}

int RunGetDevices(const GetDevicesOptions& options, Context& context) {
  RealClock clock;
  const auto client = ConnectForUser(options.kubeconfig, options.kube_context, clock);
  if (!client) return ReportFailure(client.error(), context);
  const Status status = GetDevices(options, **client, context);
  return status ? kExitOk : ReportFailure(status.error(), context);
}

}  // namespace plimsoll::cli
