#include "dra/allocation.h"

#include <span>

#include "api/extension/extended_claim.h"
#include "base/go_text.h"
#include "codec/json.h"

namespace plimsoll::dra {
namespace {

/// Writes the members of a JSON object, separated by commas.
class ObjectWriter {
 public:
  explicit ObjectWriter(std::string& out) : out_(out) { out_ += '{'; }
  ~ObjectWriter() { out_ += '}'; }
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;

  /// Writes a key and returns the string to which the caller appends the value.
  std::string& Key(std::string_view key) {
    if (!is_first_) out_ += ',';
    is_first_ = false;
    out_.append(GoJsonQuote(key)).append(":");
    return out_;
  }
  void Text(std::string_view key, std::string_view text) { Key(key).append(GoJsonQuote(text)); }

 private:
  std::string& out_;
  bool is_first_ = true;
};

template <class Items, class Write>
void AppendArray(std::string& out, const Items& items, Write&& write) {
  out += '[';
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) out += ',';
    is_first = false;
    write(item);
  }
  out += ']';
}

template <class Texts>
void AppendTexts(std::string& out, const Texts& texts) {
  AppendArray(out, texts, [&](std::string_view text) { out.append(GoJsonQuote(text)); });
}

void AppendRequirements(std::string& out, std::span<const api::NodeSelectorRequirement> list) {
  AppendArray(out, list, [&](const api::NodeSelectorRequirement& one) {
    ObjectWriter object(out);
    object.Text("key", one.key);
    object.Text("operator", one.op);
    if (!one.values.empty()) AppendTexts(object.Key("values"), one.values);
  });
}

void AppendSelector(std::string& out, const api::NodeSelector& selector) {
  ObjectWriter object(out);
  AppendArray(object.Key("nodeSelectorTerms"), selector.terms,
              [&](const api::NodeSelectorTerm& term) {
                ObjectWriter inner(out);
                if (!term.match_expressions.empty()) {
                  AppendRequirements(inner.Key("matchExpressions"), term.match_expressions);
                }
                if (!term.match_fields.empty()) {
                  AppendRequirements(inner.Key("matchFields"), term.match_fields);
                }
              });
}

void AppendResult(std::string& out, const api::DeviceResult& result,
                  const codec::Value* tolerations) {
  ObjectWriter object(out);
  object.Text("request", result.request);
  object.Text("driver", result.driver);
  object.Text("pool", result.pool);
  object.Text("device", result.device);
  if (result.admin_access) object.Key("adminAccess").append("true");
  if (tolerations != nullptr) {
    const std::string text = api::WriteUnextended(*tolerations);
    if (text != "[]") object.Key("tolerations").append(text);
  }
  if (!result.binding_conditions.empty()) {
    AppendTexts(object.Key("bindingConditions"), result.binding_conditions);
  }
  if (!result.binding_failure_conditions.empty()) {
    AppendTexts(object.Key("bindingFailureConditions"), result.binding_failure_conditions);
  }
  if (!result.share_id.empty()) object.Text("shareID", result.share_id);
  if (!result.consumed_capacity.empty()) {
    ObjectWriter amounts(object.Key("consumedCapacity"));
    for (const api::NamedQuantity& amount : result.consumed_capacity) {
      amounts.Text(amount.name, amount.value.Text());
    }
  }
}

void AppendConfig(std::string& out, const AllocatedConfig& config) {
  ObjectWriter object(out);
  object.Text("source", config.is_from_class ? "FromClass" : "FromClaim");
  if (!config.requests.empty()) AppendTexts(object.Key("requests"), config.requests);
  if (const codec::Value* const opaque = config.config->source->Find("opaque")) {
    codec::AppendJson(*opaque, object.Key("opaque"));
  }
}

void AppendDevices(std::string& out, const Allocation& allocation) {
  ObjectWriter object(out);
  if (!allocation.result.results.empty()) {
    std::size_t i = 0;
    AppendArray(object.Key("results"), allocation.result.results,
                [&](const api::DeviceResult& result) {
                  AppendResult(out, result, allocation.tolerations[i++]);
                });
  }
  if (!allocation.config.empty()) {
    AppendArray(object.Key("config"), allocation.config,
                [&](const AllocatedConfig& config) { AppendConfig(out, config); });
  }
}

}  // namespace

std::string Allocation::ToJson(std::string_view allocation_timestamp) const {
  std::string out;
  {
    ObjectWriter object(out);
    AppendDevices(object.Key("devices"), *this);
    if (result.node_selector) AppendSelector(object.Key("nodeSelector"), *result.node_selector);
    if (!allocation_timestamp.empty()) object.Text("allocationTimestamp", allocation_timestamp);
  }
  return out;
}

}  // namespace plimsoll::dra
