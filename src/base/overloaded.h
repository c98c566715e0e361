#pragma once

namespace plimsoll {

/// One visitor of several lambdas: std::visit(Overloaded{[](int) {}, [](float) {}}, value).
template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};

}  // namespace plimsoll
