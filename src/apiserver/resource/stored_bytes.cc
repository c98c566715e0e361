#include "apiserver/resource/stored_bytes.h"

#include <fmt/format.h>

#include <array>

#include "base/assert.h"
#include "base/go_text.h"
#include "codec/clone_bytes.h"
#include "codec/json.h"

namespace plimsoll::apiserver {
namespace {

constexpr std::string_view kMetadata = "\"metadata\":{";
constexpr std::string_view kVersion = "resourceVersion";
constexpr std::array<std::string_view, 3> kFirst = {"kind", "apiVersion", "metadata"};

bool IsFirst(std::string_view key) {
  return key == kFirst[0] || key == kFirst[1] || key == kFirst[2];
}

void AppendMember(std::string_view key, const codec::Value& value, std::string& out) {
  if (out.back() != '{') out += ',';
  out += GoJsonQuote(key);
  out += ':';
  codec::AppendJson(value, out);
}

void AppendMetadata(const codec::Value& metadata, std::string& out) {
  if (out.back() != '{') out += ',';
  out += kMetadata;
  for (const codec::Member& member : metadata.members()) {
    if (member.key != kVersion) AppendMember(member.key, member.value, out);
  }
  out += '}';
}

}  // namespace

std::string EncodeForStore(const codec::Value& tree) {
  PL_ASSERT(tree.is_object());
  std::string out = "{";
  for (const std::string_view key : kFirst) {
    const codec::Value* value = tree.Find(key);
    if (key == "metadata") {
      AppendMetadata(value == nullptr ? codec::Value() : *value, out);
    } else if (value != nullptr) {
      AppendMember(key, *value, out);
    }
  }
  for (const codec::Member& member : tree.members()) {
    if (!IsFirst(member.key)) AppendMember(member.key, member.value, out);
  }
  out += '}';
  return out;
}

Bytes WithRevision(std::string_view stored, store::Revision revision) {
  // kind and apiVersion stand before metadata and contain no braces, so the first match is right.
  const std::size_t at = stored.find(kMetadata);
  PL_ASSERT(at != std::string_view::npos);
  const std::size_t inside = at + kMetadata.size();
  PL_ASSERT(inside < stored.size());
  const std::string version = fmt::format("\"resourceVersion\":\"{}\"{}", store::Number(revision),
                                          stored[inside] == '}' ? "" : ",");
  std::string out;
  out.reserve(stored.size() + version.size());
  out += stored.substr(0, inside);
  out += version;
  out += stored.substr(inside);
  return MakeBytes(std::move(out));
}

std::shared_ptr<codec::Document> CopyWithRevision(const codec::Value& tree,
                                                  store::Revision revision) {
  const std::string version = fmt::format("{}", store::Number(revision));
  constexpr std::size_t kMemberBytes =
      sizeof(codec::Member) + kVersion.size() + alignof(codec::Value);
  auto copy =
      std::make_shared<codec::Document>(codec::CloneBytes(tree) + kMemberBytes + version.size());
  copy->root() = copy->NewObject(tree.members().size());
  for (const codec::Member& member : tree.members()) {
    codec::Value value;
    if (member.key == "metadata") {
      value = copy->NewObject(member.value.members().size() + 1);
      copy->AppendMember(value, {kVersion, copy->NewString(version)});
      for (const codec::Member& field : member.value.members()) {
        if (field.key == kVersion) continue;
        copy->AppendMember(value,
                           {copy->CopyText(field.key), copy->Clone(field.value), field.field});
      }
    } else {
      value = copy->Clone(member.value);
    }
    copy->AppendMember(copy->root(), {copy->CopyText(member.key), value, member.field});
  }
  return copy;
}

}  // namespace plimsoll::apiserver
