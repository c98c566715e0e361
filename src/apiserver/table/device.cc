#include <string>

#include "apiserver/table/printers.h"

/// Resource claims, resource slices, and the taint rules of devices and nodes.
namespace plimsoll::apiserver {

void PrintResourceClaim(const Source& object, Cells& cells) {
  const bool is_allocated = object.Find("status.allocation") != nullptr;
  const bool is_reserved = object.Size("status.reservedFor") > 0;
  std::string state = object.IsBeingDeleted() ? "deleted" : is_allocated ? "" : "pending";
  if (is_allocated) state += state.empty() ? "allocated" : ",allocated";
  if (is_allocated && is_reserved) state += ",reserved";
  cells.Text(object.Name());
  cells.Text(state);
  cells.Text(object.Age());
}

void PrintResourceSlice(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("spec.nodeName"));
  cells.Text(object.Text("spec.driver"));
  cells.Text(object.Text("spec.pool.name"));
  cells.Text(object.Age());
}

void PrintDeviceTaintRule(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("spec.taint.key"));
  cells.Text(object.Text("spec.taint.value"));
  cells.Text(object.Text("spec.taint.effect"));
  cells.Text(object.Age("spec.taint.timeAdded"));
  cells.Text(object.Age());
}

void PrintNodeTaintRule(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("spec.taint.key"));
  cells.Text(object.Text("spec.taint.effect"));
  cells.Int(object.Int("status.nodes.selected"));
  cells.Text(object.Text("status.values.min"));
  cells.Text(object.Text("status.values.median"));
  cells.Text(object.Text("status.values.max"));
  cells.Text(object.Condition("SourceHealthy"));
  cells.Text(object.Age());
}

}  // namespace plimsoll::apiserver
