#include "codec/patch/json_patch.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/go_text.h"
#include "codec/go_kind.h"
#include "codec/json.h"
#include "codec/patch/wide_containers.h"
#include "codec/tree_depth.h"

namespace plimsoll::codec {
namespace {

constexpr std::string_view kMissing = "missing value";

std::string WrongKind(const Value& value, std::string_view go_type) {
  return "json: cannot unmarshal " + std::string(GoKindText(value)) + " into Go value of type " +
         std::string(go_type);
}

std::unexpected<Error> Refuse(std::string what, std::string_view why) {
  what += ": ";
  what += why;
  return Fail(Reason::Invalid, std::move(what));
}

/// Decodes the escapes in one step of a JSON pointer (RFC 6901).
std::string DecodeStep(std::string_view step) {
  std::string out;
  out.reserve(step.size());
  for (std::size_t i = 0; i < step.size(); ++i) {
    const char next = i + 1 < step.size() ? step[i + 1] : '\0';
    if (step[i] == '~' && (next == '0' || next == '1')) {
      out += next == '0' ? '~' : '/';
      ++i;
    } else {
      out += step[i];
    }
  }
  return out;
}

Result<std::int64_t> ParseIndex(std::string_view key) {
  Result<std::int64_t> index = GoParseInt(key);
  if (index) return index;
  // strconv.Atoi puts its own name into its errors.
  constexpr std::string_view kSigned = "strconv.ParseInt";
  return Refuse("strconv.Atoi", std::string_view(index.error().message).substr(kSigned.size() + 2));
}

/// Returns the index of `key` in a list of `size` items. Negative indexes count from the end.
Result<std::size_t> ResolveIndex(std::string_view key, std::size_t size) {
  const std::int64_t index = PL_TRY(ParseIndex(key));
  const auto count = static_cast<std::int64_t>(size);
  if (index >= count || index < -count) {
    return Refuse("Unable to access invalid index: " + std::to_string(index),
                  "invalid index referenced");
  }
  return static_cast<std::size_t>(index < 0 ? index + count : index);
}

/// Returns the value at `key`, or null if an object has no such member.
Result<Value*> Get(WideContainers& containers, Value& container, std::string_view key) {
  if (container.is_object()) return containers.Find(container, key);
  const std::size_t index = PL_TRY(ResolveIndex(key, containers.SizeOf(container)));
  return &containers.At(container, index);
}

Status RemoveAt(WideContainers& containers, Value& container, std::string_view key) {
  if (container.is_object()) {
    if (containers.Remove(container, key)) return {};
    return Refuse("Unable to remove nonexistent key: " + std::string(key), kMissing);
  }
  containers.RemoveAt(container, PL_TRY(ResolveIndex(key, containers.SizeOf(container))));
  return {};
}

Status AddAt(WideContainers& containers, Value& container, std::string_view key,
             const Value& value) {
  if (container.is_object()) {
    containers.Set(container, key, value);
    return {};
  }
  std::size_t index = containers.SizeOf(container);
  if (key != "-") {
    if (const auto number = ParseIndex(key); !number) {
      return Refuse("value was not a proper array index: '" + std::string(key) + "'",
                    number.error().message);
    }
    index = PL_TRY(ResolveIndex(key, index + 1));
  }
  containers.Insert(container, index, value);
  return {};
}

struct Target {
  Value* container = nullptr;  // null if the path does not exist
  std::string key;
};

/// Applies a patch to the tree at `root`.
class Patcher {
 public:
  Patcher(Document& out, Value& root) : out_(out), root_(root), containers_(out) {}

  Status Run(const Value& operation) {
    const Value* const op = operation.Find("op");
    const std::string_view kind = op != nullptr && op->is_string() ? op->text() : "unknown";
    if (kind == "add") return Add(operation);
    if (kind == "remove") return Remove(operation);
    if (kind == "replace") return Replace(operation);
    if (kind == "move") return Move(operation);
    if (kind == "test") return Test(operation);
    if (kind == "copy") return Copy(operation);
    return Fail(Reason::Invalid, "Unexpected kind: " + std::string(kind));
  }

  /// Writes all edits into the tree.
  void Finish() { containers_.WriteBack(root_); }

 private:
  static Result<std::string> Pointer(const Value& operation, std::string_view field) {
    const Value* const value = operation.Find(field);
    if (value == nullptr || value->is_null()) {
      return Refuse(
          field == "path" ? "operation missing path field" : "operation, missing from field",
          kMissing);
    }
    if (!value->is_string()) return Fail(Reason::Invalid, WrongKind(*value, "string"));
    return std::string(value->text());
  }

  Target FindPlace(std::string_view path) {
    std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return {};
    Value* container = &root_;
    for (;;) {
      const std::string_view rest = path.substr(slash + 1);
      const std::size_t next = rest.find('/');
      std::string key = DecodeStep(rest.substr(0, next));
      if (!container->is_object() && !container->is_array()) return {};
      if (next == std::string_view::npos) return {container, std::move(key)};
      const Result<Value*> inner = Get(containers_, *container, key);
      if (!inner || *inner == nullptr) return {};
      container = *inner;
      slash += 1 + next;
    }
  }

  Value ValueOf(const Value& operation) {
    const Value* const value = operation.Find("value");
    return value == nullptr ? Value::Null() : out_.Clone(*value);
  }

  Status Add(const Value& operation) {
    const auto path = Pointer(operation, "path");
    if (!path) return Refuse("add operation failed to decode path", kMissing);
    const Target place = FindPlace(*path);
    if (place.container == nullptr) {
      return Refuse("add operation does not apply: doc is missing path: \"" + *path + "\"",
                    kMissing);
    }
    const Status added = AddAt(containers_, *place.container, place.key, ValueOf(operation));
    if (!added) return Refuse("error in add for path: '" + *path + "'", added.error().message);
    return {};
  }

  Status Remove(const Value& operation) {
    const auto path = Pointer(operation, "path");
    if (!path) return Refuse("remove operation failed to decode path", kMissing);
    const Target place = FindPlace(*path);
    if (place.container == nullptr) {
      return Refuse("remove operation does not apply: doc is missing path: \"" + *path + "\"",
                    kMissing);
    }
    const Status removed = RemoveAt(containers_, *place.container, place.key);
    if (!removed) {
      return Refuse("error in remove for path: '" + *path + "'", removed.error().message);
    }
    return {};
  }

  Status Replace(const Value& operation) {
    const auto path = Pointer(operation, "path");
    if (!path) return Refuse("replace operation failed to decode path", path.error().message);
    if (path->empty()) return ReplaceRoot(operation);
    const Target place = FindPlace(*path);
    if (place.container == nullptr) {
      return Refuse("replace operation does not apply: doc is missing path: " + *path, kMissing);
    }
    const Result<Value*> old = Get(containers_, *place.container, place.key);
    if (!old) {
      return Refuse("replace operation does not apply: doc is missing key: " + *path, kMissing);
    }
    const Value value = ValueOf(operation);
    if (*old != nullptr) {
      **old = value;
    } else {
      containers_.Set(*place.container, place.key, value);
    }
    return {};
  }

  Status ReplaceRoot(const Value& operation) {
    const Value value = ValueOf(operation);
    if (!value.is_object() && !value.is_array()) {
      // Upstream wraps a nil error here, and Go prints it like this.
      return Refuse("replace operation value must be object or array", "%!w(<nil>)");
    }
    root_ = value;
    return {};
  }

  Status Move(const Value& operation) {
    const auto from = Pointer(operation, "from");
    if (!from) return Refuse("move operation failed to decode from", from.error().message);
    const Target source = FindPlace(*from);
    if (source.container == nullptr) {
      return Refuse("move operation does not apply: doc is missing from path: " + *from, kMissing);
    }
    const Result<Value*> found = Get(containers_, *source.container, source.key);
    if (!found) {
      return Refuse("error in move for path: '" + source.key + "'", found.error().message);
    }
    const Value value = *found == nullptr ? Value::Null() : **found;
    const Status removed = RemoveAt(containers_, *source.container, source.key);
    if (!removed) {
      return Refuse("error in move for path: '" + source.key + "'", removed.error().message);
    }
    const auto path = Pointer(operation, "path");
    if (!path) return Refuse("move operation failed to decode path", path.error().message);
    const Target place = FindPlace(*path);
    if (place.container == nullptr) {
      return Refuse("move operation does not apply: doc is missing destination path: " + *path,
                    kMissing);
    }
    const Status added = AddAt(containers_, *place.container, place.key, value);
    if (!added) return Refuse("error in move for path: '" + *path + "'", added.error().message);
    return {};
  }

  Status Test(const Value& operation) {
    const auto path = Pointer(operation, "path");
    if (!path) return Refuse("test operation failed to decode path", path.error().message);
    const Value* const value = operation.Find("value");
    const Value want = value == nullptr ? Value::Null() : *value;
    Value* found = &root_;
    if (!path->empty()) {
      const Target place = FindPlace(*path);
      if (place.container == nullptr) {
        return Refuse("test operation does not apply: is missing path: " + *path, kMissing);
      }
      const Result<Value*> at = Get(containers_, *place.container, place.key);
      if (!at) return Refuse("error in test for path: '" + *path + "'", at.error().message);
      found = *at;
    }
    if (found != nullptr) containers_.WriteBack(*found);
    const bool is_equal = found == nullptr ? want.is_null() : *found == want;
    if (!is_equal) return Refuse("testing value " + *path + " failed", "test failed");
    return {};
  }

  Status Copy(const Value& operation) {
    const auto from = Pointer(operation, "from");
    if (!from) return Refuse("copy operation failed to decode from", from.error().message);
    const Target source = FindPlace(*from);
    if (source.container == nullptr) {
      return Refuse("copy operation does not apply: doc is missing from path: " + *from, kMissing);
    }
    const Result<Value*> found = Get(containers_, *source.container, source.key);
    if (!found) return Refuse("error in copy for from: '" + *from + "'", found.error().message);
    const auto path = Pointer(operation, "path");
    if (!path) return Refuse("copy operation failed to decode path", kMissing);
    const Target place = FindPlace(*path);
    if (place.container == nullptr) {
      return Refuse("copy operation does not apply: doc is missing destination path: " + *path,
                    kMissing);
    }
    Value copy = Value::Null();
    if (*found != nullptr) {
      containers_.WriteBack(**found);
      copy = PL_TRY(CloneWithinLimits(**found));
    }
    const Status added = AddAt(containers_, *place.container, place.key, copy);
    if (!added) return Refuse("error while adding value during copy", added.error().message);
    return {};
  }

  Result<Value> CloneWithinLimits(const Value& value) {
    if (IsDeeperThan(value, ParseLimits{}.depth_max)) {
      return Fail(Reason::Invalid, "exceeded max depth");
    }
    bytes_copied_ += WriteJson(value).size();
    if (bytes_copied_ > kJsonPatchCopyBytesMax) {
      return Fail(Reason::Invalid,
                  "Unable to complete the copy, the accumulated size increase of copy is " +
                      std::to_string(bytes_copied_) + ", exceeding the limit " +
                      std::to_string(kJsonPatchCopyBytesMax));
    }
    return out_.Clone(value);
  }

  Document& out_;
  Value& root_;
  WideContainers containers_;
  std::size_t bytes_copied_ = 0;
};

}  // namespace

Result<Value> ApplyJsonPatch(Document& out, const Value& original, const Value& patch) {
  if (!patch.is_array() && !patch.is_null()) {
    return Fail(Reason::BadRequest, WrongKind(patch, "jsonpatch.Patch"));
  }
  for (const Value& operation : patch.items()) {
    if (operation.is_object() || operation.is_null()) continue;
    return Fail(Reason::BadRequest, WrongKind(operation, "jsonpatch.Operation"));
  }
  if (const std::size_t count = patch.items().size(); count > kJsonPatchOperationsMax) {
    return Fail(Reason::RequestEntityTooLarge,
                "The allowed maximum operations in a JSON patch is " +
                    std::to_string(kJsonPatchOperationsMax) + ", got " + std::to_string(count));
  }
  Value root = out.Clone(original);
  Patcher patcher(out, root);
  for (const Value& operation : patch.items()) PL_TRY(patcher.Run(operation));
  patcher.Finish();
  if (IsDeeperThan(root, ParseLimits{}.depth_max)) {
    return Fail(Reason::Invalid, "exceeded max depth");
  }
  return root;
}

}  // namespace plimsoll::codec
