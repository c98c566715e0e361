#include "api/validation/device/device_checks.h"
#include "api/validation/device/names.h"
#include "api/validation/field_checks.h"
#include "api/validation/kind_checks.h"
#include "api/validation/tree_reads.h"

namespace plimsoll::api {
namespace {

using codec::Value;

void CheckSelector(const Value& selector, const Value* before, const FieldPath& at,
                   DeviceFindings& out) {
  if (const Value* const driver = selector.Find("driver")) {
    CheckDriverName(driver->text(), at / "driver", out.coded);
  }
  if (const Value* const pool = selector.Find("pool")) {
    CheckPoolName(pool->text(), at / "pool", out.coded);
  }
  if (const Value* const device = selector.Find("device")) {
    CheckShortName(device->text(), at / "device", out.coded);
  }
  if (const Value* const class_name = selector.Find("deviceClassName")) {
    AddFaults(at / "deviceClassName", class_name->text(), CheckDns1123Subdomain(class_name->text()),
              out.coded);
  }
  const bool is_stored =
      before != nullptr && SameMeaning(selector.Find("selectors"), before->Find("selectors"));
  CheckDeviceSelectors(ItemsOf(&selector, "selectors"), is_stored, at / "selectors", out);
}

}  // namespace

void ValidateDeviceTaintRule(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kSpec("spec");
  const Value* const spec = MemberOf(change.tree(), "spec");
  const Value* const before = MemberOf(change.old_tree(), "spec");
  DeviceFindings out{.coded = errors};
  if (const Value* const selector = MemberOf(spec, "deviceSelector")) {
    CheckSelector(*selector, MemberOf(before, "deviceSelector"), kSpec / "deviceSelector", out);
  }
  static constexpr Value kNoTaint;
  const Value* const then = MemberOf(before, "taint");
  CheckDeviceTaint(MemberOf(spec, "taint"),
                   change.before != nullptr && then == nullptr ? &kNoTaint : then, kSpec / "taint",
                   out);
  out.Finish();
}

}  // namespace plimsoll::api
