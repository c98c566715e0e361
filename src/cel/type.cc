#include "cel/type.h"

#include <array>
#include <boost/unordered/unordered_flat_set.hpp>

#include "base/text/ascii.h"
#include "cel/arena.h"
#include "cel/limits.h"

namespace plimsoll::cel {

struct BasicTypes {
  static constexpr Type Make(TypeKind kind, std::string_view name) {
    Type made;
    made.kind_ = kind;
    made.name_ = name;
    return made;
  }
};

namespace {

constexpr std::string_view kOptionalName = "optional_type";

constexpr Type kErrorType = BasicTypes::Make(TypeKind::Error, "*error*");
constexpr Type kDynType = BasicTypes::Make(TypeKind::Dyn, "dyn");
constexpr Type kNullType = BasicTypes::Make(TypeKind::Null, "null_type");
constexpr Type kBoolType = BasicTypes::Make(TypeKind::Bool, "bool");
constexpr Type kIntType = BasicTypes::Make(TypeKind::Int, "int");
constexpr Type kUintType = BasicTypes::Make(TypeKind::Uint, "uint");
constexpr Type kDoubleType = BasicTypes::Make(TypeKind::Double, "double");
constexpr Type kStringType = BasicTypes::Make(TypeKind::String, "string");
constexpr Type kBytesType = BasicTypes::Make(TypeKind::Bytes, "bytes");
constexpr Type kDurationType = BasicTypes::Make(TypeKind::Duration, "google.protobuf.Duration");
constexpr Type kTimestampType = BasicTypes::Make(TypeKind::Timestamp, "google.protobuf.Timestamp");
constexpr Type kAnyType = BasicTypes::Make(TypeKind::Any, "google.protobuf.Any");
constexpr Type kTypeType = BasicTypes::Make(TypeKind::Type, "type");
constexpr Type kListType = BasicTypes::Make(TypeKind::List, "list");
constexpr Type kMapType = BasicTypes::Make(TypeKind::Map, "map");
constexpr Type kOptionalType = BasicTypes::Make(TypeKind::Opaque, kOptionalName);

struct Named {
  std::string_view name;
  const Type* type;
};

// Names of the types without parameters in declarations.
constexpr std::array kNamed{
    Named{"dyn", &kDynType},
    Named{"null", &kNullType},
    Named{"null_type", &kNullType},
    Named{"bool", &kBoolType},
    Named{"int", &kIntType},
    Named{"uint", &kUintType},
    Named{"double", &kDoubleType},
    Named{"string", &kStringType},
    Named{"bytes", &kBytesType},
    Named{"duration", &kDurationType},
    Named{"google.protobuf.Duration", &kDurationType},
    Named{"timestamp", &kTimestampType},
    Named{"google.protobuf.Timestamp", &kTimestampType},
    Named{"any", &kAnyType},
    Named{"google.protobuf.Any", &kAnyType},
    Named{"type", &kTypeType},
    Named{"list", &kListType},
    Named{"map", &kMapType},
};

struct Key {
  TypeKind kind;
  std::string_view name;
  std::span<const Type* const> parameters;
  std::uint32_t number;
};

Key KeyOf(const Type* type) {
  return {type->kind(), type->name(), type->parameters(), type->number()};
}

struct Hash {
  using is_transparent = void;
  std::size_t operator()(const Key& key) const {
    std::size_t hash = static_cast<std::size_t>(key.kind) * 1000003 + key.number;
    for (const Type* one : key.parameters) {
      hash = hash * 31 + (reinterpret_cast<std::uintptr_t>(one) >> 4);
    }
    // Few kinds are named; the length and the last letter suffice as a hash for a small pool.
    if (!key.name.empty()) {
      hash = hash * 31 + key.name.size() * 257 + static_cast<unsigned char>(key.name.back());
    }
    return hash;
  }
  std::size_t operator()(const Type* type) const { return (*this)(KeyOf(type)); }
};

struct Equal {
  using is_transparent = void;
  static bool Same(const Key& a, const Key& b) {
    return a.kind == b.kind && a.number == b.number && a.name == b.name &&
           std::ranges::equal(a.parameters, b.parameters);
  }
  bool operator()(const Type* a, const Type* b) const { return a == b; }
  bool operator()(const Key& a, const Type* b) const { return Same(a, KeyOf(b)); }
  bool operator()(const Type* a, const Key& b) const { return Same(KeyOf(a), b); }
};

/// Parses `name(type, …)`.
class TypeReader {
 public:
  TypeReader(TypePool& pool, std::string_view text) : pool_(pool), text_(text) {}

  Result<const Type*> Read() {
    const Type* const type = PL_TRY(ReadType());
    SkipBlanks();
    if (at_ != text_.size()) return Bad("unexpected text after it");
    return type;
  }

 private:
  std::unexpected<Error> Bad(std::string_view what) const {
    return Fail(Reason::Invalid, "type '" + std::string(text_) + "': " + std::string(what));
  }

  void SkipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  static bool IsNameLetter(char letter) {
    return IsAlphanumeric(letter) || letter == '_' || letter == '.';
  }

  Result<const Type*> ReadType() {
    SkipBlanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsNameLetter(text_[at_])) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) return Bad("a name is missing");
    std::array<const Type*, kTypeParametersMax> parameters{};
    std::size_t count = 0;
    if (at_ < text_.size() && text_[at_] == '(') {
      do {
        ++at_;
        if (count == kTypeParametersMax) return Bad("too many parameters");
        parameters[count++] = PL_TRY(ReadType());
        SkipBlanks();
      } while (at_ < text_.size() && text_[at_] == ',');
      if (at_ == text_.size() || text_[at_] != ')') return Bad("')' is missing");
      ++at_;
    }
    return Make(name, std::span(parameters).first(count));
  }

  Result<const Type*> Make(std::string_view name, std::span<const Type* const> parameters) {
    if (parameters.empty()) {
      if (name.size() == 1 && IsUpper(name[0])) return pool_.Param(name);
      for (const Named& one : kNamed) {
        if (one.name == name) return one.type;
      }
      return pool_.Opaque(name);
    }
    if (name == "map") {
      if (parameters.size() != 2) return Bad("a map has a key and a value");
      return pool_.Map(parameters[0], parameters[1]);
    }
    if (name == "list" || name == "type" || name == "wrapper") {
      if (parameters.size() != 1) return Bad("it has one parameter");
      if (name == "list") return pool_.List(parameters[0]);
      return name == "type" ? pool_.TypeOf(parameters[0]) : pool_.Wrapper(parameters[0]);
    }
    return pool_.Opaque(name, parameters);
  }

  TypePool& pool_;
  std::string_view text_;
  std::size_t at_ = 0;
};

std::string DeclaredName(const Type* type) {
  if (!type->is(TypeKind::Wrapper)) return std::string(type->name());
  return "wrapper(" + std::string(type->parameter(0)->name()) + ")";
}

template <class Print>
std::string WithParameters(const Type* type, Print print) {
  std::string out(type->name());
  out += '(';
  bool is_first = true;
  for (const Type* one : type->parameters()) {
    if (!is_first) out += ", ";
    is_first = false;
    out += print(one);
  }
  return out + ')';
}

std::string VariableName(const Type* type) {
  if (type->number() == Type::kNamed) return std::string(type->name());
  return "_var" + std::to_string(type->number());
}

}  // namespace

namespace types {
const Type* const kError = &kErrorType;
const Type* const kDyn = &kDynType;
const Type* const kNull = &kNullType;
const Type* const kBool = &kBoolType;
const Type* const kInt = &kIntType;
const Type* const kUint = &kUintType;
const Type* const kDouble = &kDoubleType;
const Type* const kString = &kStringType;
const Type* const kBytes = &kBytesType;
const Type* const kDuration = &kDurationType;
const Type* const kTimestamp = &kTimestampType;
const Type* const kAny = &kAnyType;
const Type* const kType = &kTypeType;
const Type* const kList = &kListType;
const Type* const kMap = &kMapType;
const Type* const kOptional = &kOptionalType;
}  // namespace types

bool Type::is_optional() const { return kind_ == TypeKind::Opaque && name_ == kOptionalName; }

struct TypePool::State {
  explicit State(std::shared_ptr<const TypePool> from) : parent(std::move(from)) {}

  std::shared_ptr<const TypePool> parent;
  Arena arena{256};
  boost::unordered_flat_set<const Type*, Hash, Equal> made;
};

TypePool::TypePool(std::shared_ptr<const TypePool> parent)
    : state_(std::make_unique<State>(std::move(parent))) {}
TypePool::TypePool(TypePool&&) noexcept = default;
TypePool& TypePool::operator=(TypePool&&) noexcept = default;
TypePool::~TypePool() = default;

std::size_t TypePool::bytes() const {
  return sizeof(State) + state_->arena.bytes_held() + state_->made.bucket_count() * sizeof(void*);
}

const Type* TypePool::Intern(TypeKind kind, std::string_view name,
                             std::span<const Type* const> parameters, std::uint32_t number) {
  const Key key{kind, name, parameters, number};
  for (const TypePool* pool = this; pool != nullptr; pool = pool->state_->parent.get()) {
    const auto found = pool->state_->made.find(key);
    if (found != pool->state_->made.end()) return *found;
  }
  std::uint32_t size = 1;
  for (const Type* one : parameters) size += one->size_;
  if (size > kTypeSizeMax) return types::kDyn;
  Arena& arena = state_->arena;
  const Type** const kept = arena.Allocate<const Type*>(parameters.size());
  std::ranges::copy(parameters, kept);
  Type* const type = arena.Own<Type>();
  type->kind_ = kind;
  type->name_ = arena.Copy(name);
  type->parameters_ = kept;
  type->size_ = size;
  type->count_ = static_cast<std::uint8_t>(parameters.size());
  type->number_ = number;
  type->has_params_ = kind == TypeKind::Param || std::ranges::any_of(parameters, &Type::has_params);
  state_->made.insert(type);
  return type;
}

const Type* TypePool::List(const Type* element) {
  return Intern(TypeKind::List, "list", {{element}}, Type::kNamed);
}
const Type* TypePool::Map(const Type* key, const Type* value) {
  return Intern(TypeKind::Map, "map", {{key, value}}, Type::kNamed);
}
const Type* TypePool::TypeOf(const Type* named) {
  return Intern(TypeKind::Type, "type", {{named}}, Type::kNamed);
}
const Type* TypePool::Wrapper(const Type* primitive) {
  return Intern(TypeKind::Wrapper, "wrapper", {{primitive}}, Type::kNamed);
}
const Type* TypePool::Optional(const Type* value) {
  return Intern(TypeKind::Opaque, kOptionalName, {{value}}, Type::kNamed);
}
const Type* TypePool::Object(std::string_view name) {
  return Intern(TypeKind::Object, name, {}, Type::kNamed);
}
const Type* TypePool::Opaque(std::string_view name, std::span<const Type* const> parameters) {
  if (name == kOptionalName && parameters.empty()) return types::kOptional;
  // A name that is declared as an object denotes that object.
  const Key object{TypeKind::Object, name, {}, Type::kNamed};
  for (const TypePool* pool = this; pool != nullptr; pool = pool->state_->parent.get()) {
    const auto found = pool->state_->made.find(object);
    if (found != pool->state_->made.end()) return *found;
  }
  return Intern(TypeKind::Opaque, name, parameters, Type::kNamed);
}
const Type* TypePool::Param(std::string_view name) {
  return Intern(TypeKind::Param, name, {}, Type::kNamed);
}
const Type* TypePool::Variable(std::uint32_t number) {
  return Intern(TypeKind::Param, {}, {}, number);
}

const Type* TypePool::With(const Type* type, std::span<const Type* const> parameters) {
  return Intern(type->kind(), type->name(), parameters, Type::kNamed);
}

Result<const Type*> TypePool::Parse(std::string_view text) {
  return TypeReader(*this, text).Read();
}

std::string MessageText(const Type* type) {
  switch (type->kind()) {
    case TypeKind::Any:
      return "any";
    case TypeKind::Duration:
      return "duration";
    case TypeKind::Error:
      return "!error!";
    case TypeKind::Null:
      return "null";
    case TypeKind::Timestamp:
      return "timestamp";
    case TypeKind::Param:
      return VariableName(type);
    default:
      break;
  }
  if (type->is(TypeKind::Wrapper) || type->parameters().empty()) return DeclaredName(type);
  return WithParameters(type, MessageText);
}

std::string OutputText(const Type* type) {
  if (type->is(TypeKind::Param)) return "<" + VariableName(type) + ">";
  if (type->is(TypeKind::Wrapper) || type->parameters().empty()) return DeclaredName(type);
  return WithParameters(type, OutputText);
}

std::string SignatureText(std::span<const Type* const> arguments, bool is_member) {
  std::string out;
  if (is_member && !arguments.empty()) {
    out = MessageText(arguments.front()) + ".";
    arguments = arguments.subspan(1);
  }
  out += '(';
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (i > 0) out += ", ";
    out += MessageText(arguments[i]);
  }
  return out + ')';
}

}  // namespace plimsoll::cel
