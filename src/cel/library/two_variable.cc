#include <array>

#include "cel/eval/access.h"
#include "cel/eval/mapping.h"
#include "cel/library/libraries.h"
#include "cel/program.h"
#include "cel/syntax/macros.h"

namespace plimsoll::cel {
namespace {

std::string ComposeTaken(const ErrorValue& error) {
  return "insert failed: key " + KeyText(error.first()) + " already exists";
}

// The map is the accumulator of transformMap() or transformMapEntry(). Nothing else refers to
// it, so it may grow in place.
Value InsertEntry(Evaluation& evaluation, const Value* arguments) {
  const MapValue& map = arguments[0].map();
  if (map.Contains(arguments[1])) return evaluation.FailLater(ComposeTaken, {}, arguments[1]);
  return Value::Map(MapValue::Insert(&map, {arguments[1], arguments[2]}, evaluation.arena()));
}

Value InsertMap(Evaluation& evaluation, const Value* arguments) {
  Value map = arguments[0];
  for (std::size_t place = 0; place < MappingSize(arguments[1]); ++place) {
    const std::array<Value, 3> step{map, MappingKey(arguments[1], place),
                                    MappingValue(arguments[1], place)};
    map = InsertEntry(evaluation, step.data());
    if (map.is_error()) break;
  }
  return map;
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "@mapInsert_map_key_value",
     .name = "cel.@mapInsert",
     .signature = "map(K, V), K, V -> map(K, V)",
     .implementation = InsertEntry},
    {.id = "@mapInsert_map_map",
     .name = "cel.@mapInsert",
     .signature = "map(K, V), map(K, V) -> map(K, V)",
     .implementation = InsertMap},
});

constexpr auto kMacros = std::to_array<Macro>({
    {"all", 3, true, macros::AllPairs},
    {"exists", 3, true, macros::ExistsPair},
    {"existsOne", 3, true, macros::ExistsOnePair},
    {"exists_one", 3, true, macros::ExistsOnePair},
    {"transformList", 3, true, macros::TransformList},
    {"transformList", 4, true, macros::TransformList},
    {"transformMap", 3, true, macros::TransformMap},
    {"transformMap", 4, true, macros::TransformMap},
    {"transformMapEntry", 3, true, macros::TransformMapEntry},
    {"transformMapEntry", 4, true, macros::TransformMapEntry},
});

}  // namespace

const Library kTwoVariableLibrary{
    .name = "two_variable", .functions = kFunctions, .macros = kMacros};

}  // namespace plimsoll::cel
