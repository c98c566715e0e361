#include "api/field_path.h"

namespace plimsoll::api {

std::string FieldPath::Text() const {
  std::string out;
  AppendTo(out);
  return out;
}

void FieldPath::AppendTo(std::string& out) const {
  if (parent_ != nullptr) parent_->AppendTo(out);
  switch (step_) {
    case Step::Field:
      // An empty root is the object itself: its fields have no leading dot.
      if (!out.empty() && !name_.empty()) out += '.';
      out += name_;
      return;
    case Step::Index:
      out += '[' + std::to_string(index_) + ']';
      return;
    case Step::Key:
      out.append("[").append(name_).append("]");
      return;
  }
}

}  // namespace plimsoll::api
