#include "apiserver/openapi/gnostic.h"

#include <cstdint>

#include "base/assert.h"
#include "codec/json.h"

/// Field numbers of gnostic's OpenAPIv2.proto. Each enum below is one message; its members are the
/// fields that our documents use.
namespace plimsoll::apiserver {
namespace {

using codec::Member;
using codec::Value;

/// Encodes one message. A nested message is a field of bytes.
class Message {
 public:
  void Text(std::uint32_t field, std::string_view bytes) {
    Varint(field << 3 | 2);  // wire type: length-delimited
    Varint(bytes.size());
    out_ += bytes;
  }
  void Bool(std::uint32_t field, bool value) {
    if (!value) return;  // false is the default of a missing field
    Varint(field << 3);
    Varint(1);
  }
  void Add(std::uint32_t field, const Message& nested) { Text(field, nested.out_); }

  std::string Take() && { return std::move(out_); }

 private:
  void Varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }

  std::string out_;
};

enum DocumentField : std::uint32_t {
  kSwagger = 1,
  kDocumentInfo = 2,
  kDocumentPaths = 8,
  kDocumentDefinitions = 9,
};
enum InfoField : std::uint32_t { kInfoTitle = 1, kInfoVersion = 2 };
enum NamedField : std::uint32_t { kNamedName = 1, kNamedValue = 2 };
enum AnyField : std::uint32_t { kAnyYaml = 2 };
enum PathsField : std::uint32_t { kPathsPath = 2 };
enum PathItemField : std::uint32_t {
  kPathGet = 2,
  kPathPut = 3,
  kPathPost = 4,
  kPathDelete = 5,
  kPathPatch = 8,
  kPathParameters = 9,
};
enum OperationField : std::uint32_t {
  kOperationTags = 1,
  kOperationDescription = 3,
  kOperationId = 5,
  kOperationProduces = 6,
  kOperationConsumes = 7,
  kOperationParameters = 8,
  kOperationResponses = 9,
  kOperationExtension = 13,
};
enum ParameterField : std::uint32_t {  // of ParametersItem, Parameter and NonBodyParameter
  kItemParameter = 1,
  kParameterBody = 1,
  kParameterNonBody = 2,
  kNonBodyQuery = 3,
  kNonBodyPath = 4,
};
enum BodyField : std::uint32_t {
  kBodyName = 2,
  kBodyIn = 3,
  kBodyRequired = 4,
  kBodySchema = 5,
};
enum NonBodyField : std::uint32_t {
  kNonBodyRequired = 1,
  kNonBodyIn = 2,
  kNonBodyDescription = 3,
  kNonBodyName = 4,
  kPathType = 5,   // of a path parameter
  kQueryType = 6,  // of a query parameter
};
enum ResponseField : std::uint32_t {  // of Responses, ResponseValue, Response and SchemaItem
  kResponsesCode = 1,
  kValueResponse = 1,
  kResponseDescription = 1,
  kResponseSchema = 2,
  kItemSchema = 1,
};
enum SchemaField : std::uint32_t {
  kSchemaRef = 1,
  kSchemaFormat = 2,
  kSchemaDescription = 4,
  kSchemaDefault = 5,
  kSchemaRequired = 19,
  kSchemaEnum = 20,
  kSchemaAdditionalProperties = 21,
  kSchemaType = 22,
  kSchemaItems = 23,
  kSchemaProperties = 25,
  kSchemaExtension = 31,
};
enum WrapperField : std::uint32_t { kWrapped = 1 };  // messages with one relevant field

Message Wrapped(const Message& inner) {
  Message out;
  out.Add(kWrapped, inner);
  return out;
}

/// Encodes an arbitrary value as YAML, which includes JSON.
Message Any(const Value& value) {
  Message out;
  out.Text(kAnyYaml, codec::WriteJson(value));
  return out;
}

Message Named(std::string_view name, const Message& value) {
  Message out;
  out.Text(kNamedName, name);
  out.Add(kNamedValue, value);
  return out;
}

void Texts(std::uint32_t field, const Value& list, Message& out) {
  for (const Value& item : list.items()) out.Text(field, item.text());
}

Message Schema(const Value& schema);

Message Schemas(const Value& by_name) {
  Message out;
  for (const Member& one : by_name.members()) out.Add(kWrapped, Named(one.key, Schema(one.value)));
  return out;
}

Message Schema(const Value& schema) {
  Message out;
  for (const auto& [key, value, field] : schema.members()) {
    if (key == "$ref") out.Text(kSchemaRef, value.text());
    if (key == "format") out.Text(kSchemaFormat, value.text());
    if (key == "description") out.Text(kSchemaDescription, value.text());
    if (key == "default") out.Add(kSchemaDefault, Any(value));
    if (key == "required") Texts(kSchemaRequired, value, out);
    if (key == "enum") {
      for (const Value& item : value.items()) out.Add(kSchemaEnum, Any(item));
    }
    if (key == "additionalProperties") {
      out.Add(kSchemaAdditionalProperties, Wrapped(Schema(value)));
    }
    if (key == "type") {
      Message type;
      type.Text(kWrapped, value.text());
      out.Add(kSchemaType, type);
    }
    if (key == "items") out.Add(kSchemaItems, Wrapped(Schema(value)));
    if (key == "properties") out.Add(kSchemaProperties, Schemas(value));
    if (key.starts_with("x-")) out.Add(kSchemaExtension, Named(key, Any(value)));
  }
  return out;
}

Message BodyParameter(const Value& parameter) {
  Message out;
  out.Text(kBodyName, parameter.Find("name")->text());
  out.Text(kBodyIn, "body");
  out.Bool(kBodyRequired, parameter.Find("required")->AsBool());
  out.Add(kBodySchema, Schema(*parameter.Find("schema")));
  return out;
}

Message NonBodyParameter(const Value& parameter, std::string_view in) {
  const Value* required = parameter.Find("required");
  Message out;
  out.Bool(kNonBodyRequired, required != nullptr && required->AsBool());
  out.Text(kNonBodyIn, in);
  out.Text(kNonBodyDescription, parameter.Find("description")->text());
  out.Text(kNonBodyName, parameter.Find("name")->text());
  out.Text(in == "path" ? kPathType : kQueryType, parameter.Find("type")->text());
  Message either;
  either.Add(in == "path" ? kNonBodyPath : kNonBodyQuery, out);
  return either;
}

void Parameters(std::uint32_t field, const Value& parameters, Message& out) {
  for (const Value& parameter : parameters.items()) {
    const std::string_view in = parameter.Find("in")->text();
    Message either;
    if (in == "body") {
      either.Add(kParameterBody, BodyParameter(parameter));
    } else {
      either.Add(kParameterNonBody, NonBodyParameter(parameter, in));
    }
    Message item;
    item.Add(kItemParameter, either);
    out.Add(field, item);
  }
}

Message Responses(const Value& responses) {
  Message out;
  for (const Member& one : responses.members()) {
    Message response;
    response.Text(kResponseDescription, one.value.Find("description")->text());
    if (const Value* schema = one.value.Find("schema")) {
      Message item;
      item.Add(kItemSchema, Schema(*schema));
      response.Add(kResponseSchema, item);
    }
    Message value;
    value.Add(kValueResponse, response);
    out.Add(kResponsesCode, Named(one.key, value));
  }
  return out;
}

Message Operation(const Value& operation) {
  Message out;
  for (const auto& [key, value, field] : operation.members()) {
    if (key == "tags") Texts(kOperationTags, value, out);
    if (key == "description") out.Text(kOperationDescription, value.text());
    if (key == "operationId") out.Text(kOperationId, value.text());
    if (key == "produces") Texts(kOperationProduces, value, out);
    if (key == "consumes") Texts(kOperationConsumes, value, out);
    if (key == "parameters") Parameters(kOperationParameters, value, out);
    if (key == "responses") out.Add(kOperationResponses, Responses(value));
    if (key.starts_with("x-")) out.Add(kOperationExtension, Named(key, Any(value)));
  }
  return out;
}

Message PathItem(const Value& path) {
  Message out;
  for (const auto& [key, value, field] : path.members()) {
    if (key == "get") out.Add(kPathGet, Operation(value));
    if (key == "put") out.Add(kPathPut, Operation(value));
    if (key == "post") out.Add(kPathPost, Operation(value));
    if (key == "delete") out.Add(kPathDelete, Operation(value));
    if (key == "patch") out.Add(kPathPatch, Operation(value));
    if (key == "parameters") Parameters(kPathParameters, value, out);
  }
  return out;
}

}  // namespace

std::string EncodeGnosticV2(std::string_view json) {
  constexpr codec::ParseLimits kNone{.bytes_max = SIZE_MAX, .values_max = SIZE_MAX};
  const auto parsed = codec::ParseJson(std::string(json), kNone);
  PL_ASSERT(parsed.has_value());
  const Value& root = (*parsed)->root();
  const Value& about = *root.Find("info");
  Message info;
  info.Text(kInfoTitle, about.Find("title")->text());
  info.Text(kInfoVersion, about.Find("version")->text());
  Message paths;
  for (const Member& path : root.Find("paths")->members()) {
    paths.Add(kPathsPath, Named(path.key, PathItem(path.value)));
  }
  Message out;
  out.Text(kSwagger, root.Find("swagger")->text());
  out.Add(kDocumentInfo, info);
  out.Add(kDocumentPaths, paths);
  out.Add(kDocumentDefinitions, Schemas(*root.Find("definitions")));
  return std::move(out).Take();
}

}  // namespace plimsoll::apiserver
