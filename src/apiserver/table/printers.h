#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/schema/schema.h"
#include "base/time.h"
#include "codec/value.h"

/// Printers of the cells of each kind; its row in strategy/strategies.cc names one. A printer
/// writes one cell per column of the kind, in order.
namespace plimsoll::apiserver {

/// Writes the cells of one row as JSON.
class Cells {
 public:
  explicit Cells(std::string& out) : out_(out) {}
  void Text(std::string_view text);
  void Int(std::int64_t value);
  void Bool(bool value);

 private:
  void Next();
  std::string& out_;
  bool is_first_ = true;
};

/// An object to print, with accessors by JSON path: `status.nodeInfo.kubeletVersion`. A value that
/// is missing or of another type reads as empty, 0 or false.
class Source {
 public:
  Source(const codec::Value& tree, Instant now) : tree_(tree), now_(now) {}

  const codec::Value& tree() const { return tree_; }
  Instant now() const { return now_; }
  /// Returns null if there is none.
  const codec::Value* Find(std::string_view path) const;
  std::string_view Text(std::string_view path) const;
  /// Returns the first of the two texts that is not empty.
  std::string_view Text(std::string_view path, std::string_view otherwise) const;
  std::int64_t Int(std::string_view path, std::int64_t missing = 0) const;
  bool Bool(std::string_view path, bool missing = false) const;
  std::span<const codec::Value> Items(std::string_view path) const;
  std::size_t Size(std::string_view path) const;
  Source In(const codec::Value& inner) const { return {inner, now_}; }

  std::string_view Name() const { return Text("metadata.name"); }
  std::string Age() const { return Age("metadata.creationTimestamp"); }
  std::string Age(std::string_view path) const;
  bool IsBeingDeleted() const { return !Text("metadata.deletionTimestamp").empty(); }
  /// Returns the status of this condition in `status.conditions`, or "" if there is none.
  std::string_view Condition(std::string_view type) const;

 private:
  const codec::Value& tree_;
  Instant now_;
};

using Printer = void (*)(const Source& object, Cells& cells);
/// Prints name and creation time.
void PrintPlain(const Source& object, Cells& cells);

void PrintPod(const Source& object, Cells& cells);
void PrintNode(const Source& object, Cells& cells);
void PrintNamespace(const Source& object, Cells& cells);
void PrintEvent(const Source& object, Cells& cells);
void PrintNameAndAge(const Source& object, Cells& cells);

void PrintConfigMap(const Source& object, Cells& cells);
void PrintSecret(const Source& object, Cells& cells);
void PrintService(const Source& object, Cells& cells);
void PrintEndpoints(const Source& object, Cells& cells);
void PrintLease(const Source& object, Cells& cells);
void PrintRuntimeClass(const Source& object, Cells& cells);
void PrintPriorityClass(const Source& object, Cells& cells);
void PrintFlowSchema(const Source& object, Cells& cells);
void PrintPriorityLevel(const Source& object, Cells& cells);
void PrintRoleBinding(const Source& object, Cells& cells);
void PrintDisruptionBudget(const Source& object, Cells& cells);

void PrintReplicationController(const Source& object, Cells& cells);
void PrintReplicaSet(const Source& object, Cells& cells);
void PrintDeployment(const Source& object, Cells& cells);
void PrintStatefulSet(const Source& object, Cells& cells);
void PrintDaemonSet(const Source& object, Cells& cells);
void PrintControllerRevision(const Source& object, Cells& cells);
void PrintJob(const Source& object, Cells& cells);

void PrintPersistentVolume(const Source& object, Cells& cells);
void PrintPersistentVolumeClaim(const Source& object, Cells& cells);
void PrintStorageClass(const Source& object, Cells& cells);
void PrintCsiNode(const Source& object, Cells& cells);
void PrintCsiDriver(const Source& object, Cells& cells);
void PrintVolumeAttachment(const Source& object, Cells& cells);

void PrintResourceClaim(const Source& object, Cells& cells);
void PrintResourceSlice(const Source& object, Cells& cells);
void PrintDeviceTaintRule(const Source& object, Cells& cells);
void PrintNodeTaintRule(const Source& object, Cells& cells);

void PrintEvictionPolicy(const Source& object, Cells& cells);
void PrintEvictionRecord(const Source& object, Cells& cells);

/// Returns `a,b`.
std::string Join(const std::vector<std::string>& texts, std::string_view between = ",");
/// Formats a map of strings as `a=1,b=2`, sorted by key, or `<none>`.
std::string FormatLabels(const codec::Value* labels);
/// Same as above, for a LabelSelector.
std::string FormatSelector(const codec::Value* selector);

}  // namespace plimsoll::apiserver
