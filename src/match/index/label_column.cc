#include "match/index/label_column.h"

#include <algorithm>
#include <limits>

#include "match/limits.h"
#include "match/node_selector.h"

namespace plimsoll::match {
namespace {

constexpr std::size_t kDensifyShare = 64;
constexpr std::size_t kSparsifyShare = 256;

template <class Narrow>
bool IsTooWide(std::uint32_t code) {
  return code > std::numeric_limits<Narrow>::max();
}

/// Returns the answers of up to 64 nodes as a word.
template <class Narrow>
std::uint64_t AnswerWord(std::span<const Narrow> codes, const std::uint8_t* answers) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) word |= std::uint64_t{answers[codes[i]]} << i;
  return word;
}

template <class Narrow>
void KeepDense(std::span<const Narrow> codes, const LabelColumn::Answers& answers, Bitmap& nodes) {
  const std::span<std::uint64_t> words = nodes.words();
  const std::uint64_t beyond = answers[0] != 0 ? ~std::uint64_t{0} : 0;
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (words[w] == 0) continue;
    const std::size_t first = std::min(w * Bitmap::kWordBits, codes.size());
    const std::size_t count = std::min(Bitmap::kWordBits, codes.size() - first);
    std::uint64_t word = AnswerWord(codes.subspan(first, count), answers.data());
    if (count < Bitmap::kWordBits) word |= beyond << count;
    words[w] &= word;
  }
}

}  // namespace

LabelColumn::Code LabelColumn::CodeAt(NodeSlot slot) const {
  if (is_dense_) {
    return std::visit(
        [&](const auto& codes) { return slot < codes.size() ? Code{codes[slot]} : Code{0}; },
        dense_);
  }
  const auto found = std::ranges::lower_bound(sparse_, slot, {}, &Cell::slot);
  return found != sparse_.end() && found->slot == slot ? found->code : 0;
}

bool LabelColumn::Set(NodeSlot slot, std::string_view value, std::size_t slot_limit) {
  const Code old = CodeAt(slot);
  if (old != 0 && values_.text(old - 1) == value) return false;
  PutCode(slot, AcquireValue(value) + 1);
  if (old != 0) {
    ReleaseValue(old - 1);
  } else {
    ++count_;
    ChooseForm(slot_limit);
  }
  return true;
}

void LabelColumn::Clear(NodeSlot slot, std::size_t slot_limit) {
  const Code old = CodeAt(slot);
  if (old == 0) return;
  PutCode(slot, 0);
  ReleaseValue(old - 1);
  --count_;
  ChooseForm(slot_limit);
}

void LabelColumn::PutCode(NodeSlot slot, Code code) {
  if (is_dense_) {
    PutDense(slot, code);
  } else {
    PutSparse(slot, code);
  }
}

void LabelColumn::PutDense(NodeSlot slot, Code code) {
  const auto widen_to = [&]<class Wide>(std::vector<Wide> wide) {
    std::visit([&](const auto& codes) { wide.assign(codes.begin(), codes.end()); }, dense_);
    dense_ = std::move(wide);
  };
  if (std::holds_alternative<std::vector<std::uint8_t>>(dense_) && IsTooWide<std::uint8_t>(code)) {
    widen_to(std::vector<std::uint16_t>());
  }
  if (std::holds_alternative<std::vector<std::uint16_t>>(dense_) &&
      IsTooWide<std::uint16_t>(code)) {
    widen_to(std::vector<std::uint32_t>());
  }
  std::visit(
      [&]<class Narrow>(std::vector<Narrow>& codes) {
        if (slot >= codes.size()) codes.resize(slot + 1);
        codes[slot] = static_cast<Narrow>(code);
      },
      dense_);
}

void LabelColumn::PutSparse(NodeSlot slot, Code code) {
  const auto at = std::ranges::lower_bound(sparse_, slot, {}, &Cell::slot);
  const bool is_there = at != sparse_.end() && at->slot == slot;
  if (code == 0) {
    if (is_there) sparse_.erase(at);
  } else if (is_there) {
    at->code = code;
  } else {
    sparse_.insert(at, {slot, code});
  }
}

void LabelColumn::ChooseForm(std::size_t slot_limit) {
  if (!is_dense_ && count_ > std::max(kSparseCellsMax, slot_limit / kDensifyShare)) {
    is_dense_ = true;
    for (const Cell& cell : sparse_) PutDense(cell.slot, cell.code);
    sparse_ = {};
  } else if (is_dense_ && count_ < slot_limit / kSparsifyShare) {
    std::visit(
        [&](const auto& codes) {
          for (NodeSlot slot = 0; slot < codes.size(); ++slot) {
            if (codes[slot] != 0) sparse_.push_back({slot, codes[slot]});
          }
        },
        dense_);
    is_dense_ = false;
    dense_ = Dense();
  }
}

ValueId LabelColumn::AcquireValue(std::string_view value) {
  const auto [id, is_new] = values_.Acquire(value);
  if (is_new && has_numbers_) ParseNumber(id);
  if (is_new && has_versions_) ParseVersion(id);
  return id;
}

void LabelColumn::ReleaseValue(ValueId id) {
  if (!values_.Release(id)) return;
  if (has_numbers_ && numbers_[id]) {
    numbers_[id].reset();
    number_order_.Forget();
  }
  if (has_versions_ && versions_[id]) {
    versions_[id].reset();
    version_order_.Forget();
  }
}

void LabelColumn::ParseNumber(ValueId id) {
  if (id >= numbers_.size()) numbers_.resize(values_.id_limit());
  numbers_[id] = LabelInteger(values_.text(id));
  if (numbers_[id]) number_order_.Insert(*numbers_[id], id);
  number_order_.Tidy([&](const auto& entry) { return IsCurrent(entry); });
}

void LabelColumn::ParseVersion(ValueId id) {
  if (id >= versions_.size()) versions_.resize(values_.id_limit());
  if (Result<Semver> version = ParseSemverTolerant(values_.text(id))) {
    versions_[id] = std::make_unique<Semver>(std::move(*version));
    version_order_.Insert(*versions_[id], id);
  }
  version_order_.Tidy([&](const auto& entry) { return IsCurrent(entry); });
}

bool LabelColumn::IsCurrent(const OrderedValues<std::int64_t>::Entry& entry) const {
  return numbers_[entry.id] == entry.value;
}

bool LabelColumn::IsCurrent(const OrderedValues<Semver>::Entry& entry) const {
  const Semver* const now = versions_[entry.id].get();
  return now != nullptr && Compare(*now, entry.value) == 0;
}

void LabelColumn::NeedNumbers() {
  if (has_numbers_) return;
  has_numbers_ = true;
  for (ValueId id = 0; id < values_.id_limit(); ++id) {
    if (values_.IsLive(id)) ParseNumber(id);
  }
}

void LabelColumn::NeedVersions() {
  if (has_versions_) return;
  has_versions_ = true;
  for (ValueId id = 0; id < values_.id_limit(); ++id) {
    if (values_.IsLive(id)) ParseVersion(id);
  }
}

LabelColumn::Answers LabelColumn::NewAnswers(bool when_absent, bool when_present) const {
  Answers answers(values_.id_limit() + 1, when_present ? 1 : 0);
  answers[0] = when_absent ? 1 : 0;
  return answers;
}

void LabelColumn::MarkNumbers(Comparison comparison, std::int64_t bound, Answers& answers) const {
  number_order_.ForEach(comparison, bound, [&](const auto& entry) {
    if (IsCurrent(entry)) answers[entry.id + 1] = 1;
  });
}

void LabelColumn::MarkVersions(Comparison comparison, const Semver& bound, Answers& answers) const {
  version_order_.ForEach(comparison, bound, [&](const auto& entry) {
    if (IsCurrent(entry)) answers[entry.id + 1] = 1;
  });
}

void LabelColumn::Retain(const Answers& answers, Bitmap& nodes) const {
  if (is_dense_) {
    std::visit(
        [&]<class Narrow>(const std::vector<Narrow>& codes) {
          KeepDense(std::span<const Narrow>(codes), answers, nodes);
        },
        dense_);
    return;
  }
  const auto is_in_sight = [&](const Cell& cell) {
    return cell.slot < nodes.size() && nodes.Test(cell.slot);
  };
  if (answers[0] != 0) {
    for (const Cell& cell : sparse_) {
      if (answers[cell.code] == 0 && is_in_sight(cell)) nodes.Reset(cell.slot);
    }
    return;
  }
  std::vector<NodeSlot> kept;
  for (const Cell& cell : sparse_) {
    if (answers[cell.code] != 0 && is_in_sight(cell)) kept.push_back(cell.slot);
  }
  nodes.Fill(false);
  for (const NodeSlot slot : kept) nodes.Set(slot);
}

std::size_t LabelColumn::MemoryBytes() const {
  const std::size_t cells =
      std::visit([](const auto& codes) { return codes.capacity() * sizeof(codes[0]); }, dense_);
  std::size_t bytes = TextBytes() + cells + sparse_.capacity() * sizeof(Cell) +
                      numbers_.capacity() * sizeof(numbers_[0]) +
                      versions_.capacity() * sizeof(versions_[0]) + number_order_.MemoryBytes() +
                      version_order_.MemoryBytes();
  for (const auto& version : versions_) bytes += version == nullptr ? 0 : sizeof(Semver);
  return bytes;
}

}  // namespace plimsoll::match
