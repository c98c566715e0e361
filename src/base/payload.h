#pragma once

#include <memory>
#include <utility>

namespace plimsoll {

/// A decoded value that travels beside its encoded bytes, from one part of a process to another.
/// The modules in between (net, store) do not know its type. Immutable, shared by reference count.
class Payload {
 public:
  virtual ~Payload() = default;
  Payload(const Payload&) = delete;
  Payload& operator=(const Payload&) = delete;

 protected:
  Payload() = default;
};

using PayloadPtr = std::shared_ptr<const Payload>;

template <class T>
class PayloadOf final : public Payload {
 public:
  explicit PayloadOf(T value) : value_(std::move(value)) {}
  const T& value() const { return value_; }

 private:
  const T value_;
};

template <class T>
PayloadPtr MakePayload(T value) {
  return std::make_shared<const PayloadOf<T>>(std::move(value));
}

/// Returns the value of a MakePayload<T>, or null if there is no payload or it has another type.
template <class T>
const T* FindPayload(const PayloadPtr& payload) {
  const auto* const typed = dynamic_cast<const PayloadOf<T>*>(payload.get());
  return typed == nullptr ? nullptr : &typed->value();
}

}  // namespace plimsoll
