#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace plimsoll::api {

/// Path of a field, for messages: `spec.tolerations[2].value`. A path is a chain of steps on
/// the caller's stack; it becomes text only when an error is reported. So walking a valid
/// object allocates nothing. A path must not outlive its parent path; making one from a
/// temporary does not compile.
class FieldPath {
 public:
  /// Makes the first step. The texts of all steps must outlive the path.
  constexpr explicit FieldPath(std::string_view root) : name_(root) {}

  constexpr FieldPath operator/(std::string_view name) const& {
    return {this, Step::Field, name, 0};
  }
  constexpr FieldPath operator[](std::size_t index) const& {
    return {this, Step::Index, {}, index};
  }
  /// Adds a map key: `requests[cpu]`.
  constexpr FieldPath Key(std::string_view key) const& { return {this, Step::Key, key, 0}; }
  FieldPath operator/(std::string_view name) const&& = delete;
  FieldPath operator[](std::size_t index) const&& = delete;
  FieldPath Key(std::string_view key) const&& = delete;

  std::string Text() const;

 private:
  enum class Step : unsigned char { Field, Index, Key };
  constexpr FieldPath(const FieldPath* parent, Step step, std::string_view name, std::size_t index)
      : parent_(parent), step_(step), name_(name), index_(index) {}
  void AppendTo(std::string& out) const;

  const FieldPath* parent_ = nullptr;
  Step step_ = Step::Field;
  std::string_view name_;
  std::size_t index_ = 0;
};

}  // namespace plimsoll::api
