#pragma once

namespace plimsoll {

/// Visitor made of several lambdas: std::visit(Overloaded{[](int) {}, [](float) {}}, value).
template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

}  // namespace plimsoll
