#include <algorithm>
#include <bit>
#include <memory>

#include "cel/cost.h"
#include "cel/eval/access.h"
#include "cel/eval/steps.h"
#include "cel/eval/well_known_value.h"

namespace plimsoll::cel::steps {
namespace {

constexpr std::size_t kAppendCapacityMin = 4;

std::string ComposeElement(const ErrorValue& error) {
  return "cannot initialize optional list element from non-optional value " +
         KeyText(error.first());
}

std::string ComposeEntry(const ErrorValue& error) {
  return "cannot initialize optional entry '" + KeyText(error.first()) +
         "' from non-optional value " + KeyText(error.second());
}

std::string ComposeUnknownType(const ErrorValue& error) {
  return "unknown type '" + std::string(error.first().text()) + "'";
}

/// Parts of a literal in adjacent slots; some may be optional.
struct Parts {
  Value* first;
  const std::vector<bool>* optionals;

  bool is_optional(std::size_t part) const { return optionals != nullptr && (*optionals)[part]; }
};

Parts PartsOf(Machine& machine, Next at) {
  return {machine.slots + at->to, at->b == 0 ? nullptr : &machine.code.optionals[at->b - 1]};
}

Value MakeList(Machine& machine, Next at) {
  const Parts parts = PartsOf(machine, at);
  Value* const made = machine.evaluation.arena().Allocate<Value>(at->count);
  if (parts.optionals == nullptr) {
    std::uninitialized_copy_n(parts.first, at->count, made);
    return Value::List({made, at->count});
  }
  std::size_t size = 0;
  for (std::size_t part = 0; part < at->count; ++part) {
    Value value = parts.first[part];
    if (parts.is_optional(part)) {
      if (value.optional() == nullptr) continue;
      value = *value.optional();
    }
    new (made + size++) Value(value);
  }
  return Value::List({made, size});
}

Value MakeMap(Machine& machine, Next at) {
  const Parts parts = PartsOf(machine, at);
  auto* const entries = machine.evaluation.arena().Allocate<MapValue::Entry>(at->count);
  auto* end = entries;
  for (std::size_t part = 0; part < at->count; ++part) {
    MapValue::Entry entry{parts.first[2 * part], parts.first[2 * part + 1]};
    // Upstream panics here: its maps cannot hold bytes.
    if (entry.key.is(ValueKind::Bytes)) {
      return machine.evaluation.Fail("unsupported key type: bytes");
    }
    if (entry.key.is(ValueKind::String)) {
      machine.evaluation.SpendOnBytes(entry.key.text().size());
    }
    if (parts.is_optional(part)) {
      if (entry.value.optional() == nullptr) {
        const auto is_same = [&](const auto& other) { return SameKey(other.key, entry.key); };
        end = std::remove_if(entries, end, is_same);
        continue;
      }
      entry.value = *entry.value.optional();
    }
    *end++ = entry;
  }
  return Value::Map(MapValue::Collect({entries, end}, machine.evaluation.arena()));
}

Value MakeMessage(Machine& machine, Next at) {
  const Parts parts = PartsOf(machine, at);
  const std::string_view name = machine.code.constants[at->a].text();
  const std::span<const Value> fields = machine.code.constants[at->a + 1].elements();
  std::vector<MessageField> given;
  for (std::size_t part = 0; part < at->count; ++part) {
    Value value = parts.first[part];
    if (parts.is_optional(part)) {
      if (value.optional() == nullptr) continue;
      value = *value.optional();
    }
    given.push_back({fields[part].text(), value});
  }
  return MakeWellKnown(machine.evaluation, *FindWellKnownType(name), given);
}

}  // namespace

Next List(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  const bool is_failed = at->count != 0 && place.is_error();
  if (!is_failed) place = MakeList(machine, at);
  return machine.Charge(kListCost, at + 1);
}

Next Map(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (!place.is_error()) place = MakeMap(machine, at);
  return machine.Charge(kMapCost, at + 1);
}

Next Struct(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  const bool is_failed = at->count != 0 && place.is_error();
  if (!is_failed) {
    const Value& name = machine.code.constants[at->a];
    place = machine.evaluation.FailLater(ComposeUnknownType, {}, name);
  }
  return machine.Charge(kStructCost, at + 1);
}

Next Message(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  const bool is_failed = at->count != 0 && place.is_error();
  if (!is_failed) {
    place = MakeMessage(machine, at);
  }
  return machine.Charge(kStructCost, at + 1);
}

Next RequireElement(Machine& machine, Next at) {
  const Value& element = machine.slots[at->a];
  if (element.is(ValueKind::Optional)) return at + 1;
  machine.slots[at->to] = machine.evaluation.FailLater(ComposeElement, {}, element);
  return at->target();
}

Next RequireEntry(Machine& machine, Next at) {
  const Value& value = machine.slots[at->a];
  if (value.is(ValueKind::Optional)) return at + 1;
  machine.slots[at->to] =
      machine.evaluation.FailLater(ComposeEntry, {}, machine.slots[at->b], value);
  return at->target();
}

// The list is a comprehension's accumulator: only this step grows it, and nothing else refers to
// it. So it has capacity up to the next power of two, and the element is stored in place.
Next Append(Machine& machine, Next at) {
  const Value& list = machine.slots[at->a];
  const Value& element = machine.slots[at->b];
  Value result = list.is_error() ? list : element;
  if (!list.is_error() && !element.is_error()) {
    const std::span<const Value> elements = list.elements();
    const std::size_t size = elements.size();
    auto* place = const_cast<Value*>(elements.data());
    if (size == 0 || (size >= kAppendCapacityMin && std::has_single_bit(size))) {
      const std::size_t capacity = std::max(kAppendCapacityMin, size * 2);
      place = machine.evaluation.arena().Allocate<Value>(capacity);
      std::uninitialized_copy_n(elements.data(), size, place);
    }
    new (place + size) Value(element);
    result = Value::List({place, size + 1});
  }
  machine.slots[at->to] = result;
  const Next next = machine.Charge(at->cost, at + 1);
  return next == nullptr ? nullptr : machine.Charge(1, next);
}

}  // namespace plimsoll::cel::steps
