#pragma once

#include "api/schema/schema.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Gives a tree that has passed Conform the form in which upstream stores and prints its objects,
/// which is that of its Go structs: a struct that another holds by value is always there
/// (`resources: {}`), and so are numbers, texts and booleans that are never left out
/// (`restartCount: 0`); other empty lists, maps, texts, zeros and `false` are dropped unless Go
/// points at them; quantities are canonical (`0.5` is `500m`). The descriptions say which field is
/// which:
/// `*` in schema/protobuf_tags.txt marks pointers, `required` or a `default` of zero (without a
/// `set`) in schema/kinds fields that are never left out. A field without a number in
/// protobuf_tags.txt stays as it is. Doing it again changes nothing.
void PutInStoredForm(codec::Document& document, codec::Value& tree, TypeId type);

}  // namespace plimsoll::api
