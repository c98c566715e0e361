#include "runner/node_template.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <memory>
#include <set>
#include <utility>

#include "api/object.h"
#include "base/text/ascii.h"
#include "codec/json.h"
#include "codec/value_at.h"
#include "codec/yaml.h"
#include "runner/device_template.h"

namespace plimsoll::runner {
namespace {

using codec::Document;
using codec::Value;

constexpr std::string_view kBuiltIn = R"(apiVersion: v1
kind: Node
metadata:
  name: node-{{i}}
  labels:
    topology.kubernetes.io/region: region-1
    topology.kubernetes.io/zone: "{{zone-a|zone-b|zone-c}}"
)";

constexpr std::int64_t kWidthMax = 63;  // longest label

using Texts = std::vector<std::pair<std::string_view, std::string_view>>;

Error Unreadable(std::string_view pattern) {
  return {Reason::Invalid,
          {},
          fmt::format("'{{{{{}}}}}' is not a pattern: want i, with + - * / % and "
                      "numbers, or words with | between them",
                      pattern)};
}

bool TakeNumber(std::string_view& text, std::int64_t& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || out < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Evaluates the operators after the first letter.
Result<std::string> Compute(std::string_view pattern, std::int64_t number) {
  std::string_view rest = pattern.substr(1);
  std::int64_t width = 0;
  while (!rest.empty()) {
    const char op = rest.front();
    rest.remove_prefix(1);
    std::int64_t operand = 0;
    if (!TakeNumber(rest, operand)) return std::unexpected(Unreadable(pattern));
    const bool divides = op == '/' || op == '%';
    if ((divides && operand == 0) || (op == ':' && !rest.empty())) {
      return std::unexpected(Unreadable(pattern));
    }
    bool is_wrong = false;
    if (op == '+') {
      is_wrong = __builtin_add_overflow(number, operand, &number);
    } else if (op == '-') {
      is_wrong = __builtin_sub_overflow(number, operand, &number);
    } else if (op == '*') {
      is_wrong = __builtin_mul_overflow(number, operand, &number);
    } else if (op == '/') {
      number /= operand;
    } else if (op == '%') {
      number %= operand;
    } else if (op == ':') {
      width = operand;
      is_wrong = width > kWidthMax;
    } else {
      is_wrong = true;
    }
    if (is_wrong) return std::unexpected(Unreadable(pattern));
  }
  return fmt::format("{:0{}}", number, width);
}

Result<std::string> FillInOne(std::string_view pattern, std::int64_t number,
                              std::optional<std::int64_t> device) {
  const bool is_of_device =
      device && pattern.starts_with('d') && (pattern.size() == 1 || !IsLower(pattern[1]));
  if (is_of_device && pattern.starts_with("d|")) {
    pattern.remove_prefix(2);
    if (!pattern.contains('|')) return std::string(pattern);
    return FillInOne(pattern, *device, std::nullopt);
  }
  if (is_of_device) return Compute(pattern, *device);
  if (pattern.find('|') == std::string_view::npos) {
    if (!pattern.starts_with('i')) return std::unexpected(Unreadable(pattern));
    return Compute(pattern, number);
  }
  std::vector<std::string_view> words;
  for (std::size_t bar = pattern.find('|'); bar != std::string_view::npos;
       bar = pattern.find('|')) {
    words.push_back(pattern.substr(0, bar));
    pattern.remove_prefix(bar + 1);
  }
  words.push_back(pattern);
  const auto count = static_cast<std::int64_t>(words.size());
  return std::string(words[static_cast<std::size_t>(((number % count) + count) % count)]);
}

/// Returns the member, and adds an empty object if it is missing.
Value& Member(Document& document, Value& object, std::string_view key) {
  Value* const found = object.Find(key);
  if (found != nullptr && found->is_object()) return *found;
  return document.Set(object, key, document.NewObject());
}

void SetMissing(Document& document, Value& object, const Texts& texts) {
  for (const auto& [key, text] : texts) {
    if (object.Find(key) == nullptr) document.Set(object, key, document.NewString(text));
  }
}

void CompleteStatus(Document& document, Value& status, std::string_view os, std::string_view arch,
                    const NodeTemplate& from) {
  Value& capacity = Member(document, status, "capacity");
  SetMissing(document, capacity,
             {{"cpu", "32"}, {"memory", "256Gi"}, {"ephemeral-storage", "1Ti"}, {"pods", "110"}});
  if (status.Find("allocatable") == nullptr) {
    const Value copy = document.Clone(*status.Find("capacity"));
    document.Set(status, "allocatable", copy);
  }
  Value& node_info = Member(document, status, "nodeInfo");
  SetMissing(document, node_info,
             {{"architecture", arch},
              {"operatingSystem", os},
              {"kubeletVersion", from.version},
              {"kubeProxyVersion", ""},
              {"containerRuntimeVersion", from.runtime},
              {"kernelVersion", "6.12.0"},
              {"osImage", "Plimsoll simulated node"},
              {"machineID", ""},
              {"systemUUID", ""},
              {"bootID", ""}});
}

std::string_view TextOr(const Value& object, std::string_view key, std::string_view otherwise) {
  const Value* const found = object.Find(key);
  return found != nullptr && found->is_string() ? found->text() : otherwise;
}

/// Removes the addresses and returns the first InternalIP; the agent reports it.
std::string TakeAddress(Document& document, Value& status) {
  std::string address;
  const Value* const addresses = status.Find("addresses");
  if (addresses == nullptr) return address;
  for (const Value& one : addresses->items()) {
    if (address.empty() && TextAt(one, "type") == "InternalIP") {
      address = TextAt(one, "address");
    }
  }
  document.Remove(status, "addresses");
  return address;
}

Result<agent::HostedNode> MakeNode(const std::string& text, const NodeTemplate& from) {
  std::vector<std::unique_ptr<Document>> documents = PL_TRY(codec::ParseYaml(text));
  if (documents.size() != 1) {
    return Fail(Reason::Invalid, "the node template must start with one Node");
  }
  const std::shared_ptr<Document> document = std::move(documents.front());
  const api::DecodedObject decoded = PL_TRY(api::DecodeObject(
      document, {.field_validation = api::FieldValidation::Strict, .apply_defaults = false}));
  const api::Node* const node = decoded.object->As<api::Node>();
  if (node == nullptr || node->metadata.name.empty()) {
    return Fail(Reason::Invalid, "the node template must be a Node with a name");
  }
  const std::string name(node->metadata.name);
  Value& root = document->root();
  Value& labels = Member(*document, Member(*document, root, "metadata"), "labels");
  const std::string os(TextOr(labels, "kubernetes.io/os", "linux"));
  const std::string arch(TextOr(labels, "kubernetes.io/arch", "amd64"));
  SetMissing(*document, labels,
             {{"kubernetes.io/hostname", name},
              {"kubernetes.io/os", os},
              {"kubernetes.io/arch", arch},
              {"beta.kubernetes.io/os", os},
              {"beta.kubernetes.io/arch", arch}});
  Value& status = Member(*document, root, "status");
  document->Remove(status, "conditions");
  std::string address = TakeAddress(*document, status);
  CompleteStatus(*document, status, os, arch, from);
  return agent::HostedNode{.name = name,
                           .metadata = codec::WriteJson(*root.Find("metadata")),
                           .spec = codec::WriteJson(Member(*document, root, "spec")),
                           .status = codec::WriteJson(*root.Find("status")),
                           .address = std::move(address)};
}

}  // namespace

Result<std::string> FillIn(std::string_view text, std::int64_t number,
                           std::optional<std::int64_t> device) {
  std::string out;
  while (true) {
    const std::size_t begin = text.find("{{");
    const std::size_t end = begin == std::string_view::npos ? begin : text.find("}}", begin);
    if (end == std::string_view::npos) break;
    out += text.substr(0, begin);
    out += PL_TRY(FillInOne(text.substr(begin + 2, end - begin - 2), number, device));
    text.remove_prefix(end + 2);
  }
  out += text;
  return out;
}

Result<std::vector<agent::HostedNode>> MakeNodes(const NodeTemplate& from) {
  const std::string_view text = from.text.empty() ? kBuiltIn : std::string_view(from.text);
  const std::vector<std::string_view> parts = SplitDocuments(text);
  if (parts.empty()) return Fail(Reason::Invalid, "the node template must be a Node");
  std::vector<agent::HostedNode> nodes;
  std::set<std::string, std::less<>> names;
  for (std::size_t i = 0; i < from.count; ++i) {
    const std::int64_t number = from.first + static_cast<std::int64_t>(i);
    const std::string filled = PL_TRY(FillIn(parts.front(), number));
    nodes.push_back(PL_TRY(MakeNode(filled, from)));
    for (std::size_t part = 1; part < parts.size(); ++part) {
      nodes.back().slices.push_back(PL_TRY(MakeSlice(parts[part], number, nodes.back().name)));
    }
    if (!names.insert(nodes.back().name).second) {
      return Fail(
          Reason::Invalid,
          fmt::format("the template gives two nodes the name '{}': use {{{{i}}}} in metadata.name",
                      nodes.back().name));
    }
  }
  return nodes;
}

std::string DefaultNodeStatus(const NodeTemplate& from) {
  Document document;
  Value status = document.NewObject();
  CompleteStatus(document, status, "linux", "amd64", from);
  return codec::WriteJson(status);
}

}  // namespace plimsoll::runner
