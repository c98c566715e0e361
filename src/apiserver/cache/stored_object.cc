#include "apiserver/cache/stored_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/kind_hooks.h"
#include "apiserver/cache/json_scan.h"
#include "apiserver/encryption/transformer.h"
#include "base/assert.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

std::unexpected<Error> Unreadable(const Resource& resource, std::string_view why) {
  return Fail(Reason::InternalError,
              fmt::format("a stored object of {} cannot be read: {}", resource.name(), why));
}

}  // namespace

/// Fills a StoredObject from its bytes.
class StoredObject::Reader {
 public:
  explicit Reader(StoredObject& object)
      : object_(object),
        scan_(*object.bytes_),
        fields_(api::HooksOf(*object.resource_->stored).selectable_fields) {}

  /// Returns false if the JSON is malformed.
  bool Read() {
    if (!fields_.empty()) object_.fields_ = std::make_unique<std::string_view[]>(fields_.size());
    if (!scan_.Enter()) return false;
    JsonScan::RawText key;
    while (scan_.NextKey(key)) {
      if (key.raw == "metadata") {
        ReadMetadata();
      } else {
        ReadFields("", key.raw);
      }
    }
    object_.labels_ = api::StringMap(std::move(labels_));
    FillMissing();
    return scan_.ok();
  }

 private:
  void ReadMetadata() {
    if (!scan_.Enter()) {
      scan_.Skip();
      return;
    }
    JsonScan::RawText key;
    while (scan_.NextKey(key)) {
      if (key.raw == "name") {
        object_.name_view_ = Scalar();
      } else if (key.raw == "namespace") {
        object_.namespace_view_ = Scalar();
      } else if (key.raw == "uid") {
        object_.uid_view_ = Scalar();
      } else if (key.raw == "resourceVersion") {
        object_.revision_view_ = Scalar();
      } else if (key.raw == "labels") {
        ReadLabels();
      } else {
        scan_.Skip();
      }
    }
  }

  void ReadLabels() {
    if (!scan_.Enter()) {
      scan_.Skip();
      return;
    }
    JsonScan::RawText key;
    while (scan_.NextKey(key)) {
      const std::string_view name = Plain(key);
      labels_.emplace_back(name, Scalar());
    }
  }

  /// Reads the value of `key` below `above` (`spec.`) as far as a field selector may use it.
  void ReadFields(std::string_view above, std::string_view key) {
    std::string_view deeper;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const std::string_view path = fields_[i].path;
      if (!path.starts_with(above)) continue;
      const std::string_view rest = path.substr(above.size());
      if (!rest.starts_with(key)) continue;
      if (rest.size() == key.size()) {
        object_.fields_[i] = Scalar();
        return;
      }
      if (rest[key.size()] == '.') deeper = path.substr(0, above.size() + key.size() + 1);
    }
    if (deeper.empty() || !scan_.Enter()) {
      scan_.Skip();
      return;
    }
    JsonScan::RawText inner;
    while (scan_.NextKey(inner)) ReadFields(deeper, inner.raw);
  }

  void FillMissing() {
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      std::string_view& value = object_.fields_[i];
      if (value.empty() && !fields_[i].instead.empty()) {
        const auto other =
            std::ranges::find(fields_, fields_[i].instead, &api::SelectableField::label);
        if (other != fields_.end())
          value = object_.fields_[static_cast<std::size_t>(other - fields_.begin())];
      }
      if (value.empty()) value = fields_[i].missing;
    }
  }

  /// Returns a string, or the literal of another value; "" for null.
  std::string_view Scalar() {
    JsonScan::RawText text;
    if (scan_.ReadText(text)) return Plain(text);
    const std::string_view raw = scan_.SkipRaw();
    return raw == "null" ? "" : raw;
  }

  std::string_view Plain(const JsonScan::RawText& text) {
    if (!text.has_escapes) return text.raw;
    const auto parsed = codec::ParseJson(fmt::format("\"{}\"", text.raw));
    if (!parsed || !(*parsed)->root().is_string()) return text.raw;
    if (!object_.unescaped_) object_.unescaped_ = std::make_unique<std::deque<std::string>>();
    return object_.unescaped_->emplace_back((*parsed)->root().text());
  }

  StoredObject& object_;
  JsonScan scan_;
  std::span<const api::SelectableField> fields_;
  std::vector<api::StringMap::Entry> labels_;
};

Result<std::shared_ptr<const StoredObject>> StoredObject::Make(const Resource& resource,
                                                               std::string_view stored,
                                                               store::Revision revision,
                                                               TreePtr tree) {
  if (stored.starts_with(kEncryptedPrefix)) {
    return Fail(Reason::InternalError, "identity transformer tried to read encrypted data");
  }
  if (!stored.starts_with('{') || !stored.contains("\"metadata\":{")) {
    return Unreadable(resource, "it has no metadata");
  }
  const auto object = std::make_shared<StoredObject>(Private());
  object->resource_ = &resource;
  object->bytes_ = WithRevision(stored, revision);
  object->revision_ = revision;
  object->tree_ = std::move(tree);
  if (!Reader(*object).Read()) return Unreadable(resource, "it is not a JSON object");
  if (object->name_view_.empty()) return Unreadable(resource, "it has no name");
  // Another program may have written a member with its own metadata before the object's.
  if (object->revision_view_.empty())
    return Unreadable(resource, "metadata must be the first field");
  if (object->namespace_view_.empty() == resource.kind->is_namespaced) {
    return Unreadable(resource, resource.kind->is_namespaced
                                    ? "it has no namespace"
                                    : "it has a namespace, and objects of this kind have none");
  }
  return object;
}

template <class Work>
auto StoredObject::Locked(Work work) const {
  while (decoded_lock_.test_and_set(std::memory_order_acquire)) decoded_lock_.wait(true);
  auto result = work();
  decoded_lock_.clear(std::memory_order_release);
  decoded_lock_.notify_one();
  return result;
}

std::shared_ptr<const StoredObject> StoredObject::At(store::Revision revision) const {
  const auto other = std::make_shared<StoredObject>(Private());
  const auto before = static_cast<std::size_t>(revision_view_.data() - bytes_->data());
  std::string text;
  const std::string number = std::to_string(store::Number(revision));
  text.reserve(bytes_->size() + number.size());
  text.append(*bytes_, 0, before);
  text += number;
  text.append(*bytes_, before + revision_view_.size());
  other->resource_ = resource_;
  other->bytes_ = MakeBytes(std::move(text));
  other->revision_ = revision;
  other->tree_ = Locked([this] {
    const auto decoded = decoded_.lock();
    return decoded == nullptr ? tree_ : TreePtr(decoded, &decoded->tree());
  });
  const bool was_read = Reader(*other).Read();
  PL_ASSERT(was_read);
  return other;
}

std::string_view StoredObject::Field(std::string_view label) const {
  if (label == "metadata.name") return name_view_;
  if (label == "metadata.namespace") return namespace_view_;
  const std::span<const api::SelectableField> all =
      api::HooksOf(*resource_->stored).selectable_fields;
  const auto field = std::ranges::find(all, label, &api::SelectableField::label);
  return field == all.end() ? "" : fields_[static_cast<std::size_t>(field - all.begin())];
}

api::StringMap StoredObject::fields() const {
  const std::span<const api::SelectableField> all =
      api::HooksOf(*resource_->stored).selectable_fields;
  std::vector<api::StringMap::Entry> entries = {{"metadata.name", name_view_},
                                                {"metadata.namespace", namespace_view_}};
  for (std::size_t i = 0; i < all.size(); ++i) entries.emplace_back(all[i].label, fields_[i]);
  return api::StringMap(std::move(entries));
}

Result<std::shared_ptr<const api::Object>> StoredObject::NewObject(const TreePtr& tree) const {
  std::shared_ptr<codec::Document> document;
  if (tree != nullptr) {
    document = CopyWithRevision(*tree, revision_);
  } else {
    document = PL_TRY(codec::ParseJson(*bytes_, {.bytes_max = bytes_->size()}));
  }
  return PL_TRY(api::DecodeObject(document, {.field_validation = api::FieldValidation::Ignore,
                                             .apply_defaults = false}))
      .object;
}

api::Answer<std::shared_ptr<const api::Object>> StoredObject::Decode() const {
  TreePtr tree;
  auto known = Locked([&] {
    tree = tree_;
    return decoded_.lock();
  });
  if (known) return known;
  const auto decoded = NewObject(tree);
  if (!decoded) {
    return std::unexpected(api::InternalError(fmt::format(
        "the stored value of {}/{} is not a valid object", resource_->name(), name_view_)));
  }
  // Another thread may have decoded it meanwhile: use that result.
  return Locked([&] {
    known = decoded_.lock();
    if (known == nullptr) decoded_ = known = *decoded;
    return known;
  });
}

void StoredObject::ReleaseTree() const {
  const TreePtr released = Locked([this] { return std::exchange(tree_, nullptr); });
}

std::size_t StoredObject::memory_bytes() const {
  constexpr std::size_t kBlockBytes = 16;  // overhead of the allocator per allocation
  constexpr std::size_t kCountsBytes = 16;
  return sizeof(StoredObject) + kCountsBytes + bytes_->capacity() + sizeof(std::string) +
         kCountsBytes + labels_.size() * sizeof(api::StringMap::Entry) +
         api::HooksOf(*resource_->stored).selectable_fields.size() * sizeof(std::string_view) +
         5 * kBlockBytes;
}

}  // namespace plimsoll::apiserver
