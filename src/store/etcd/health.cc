#include "store/etcd/health.h"

#include <fmt/format.h>

#include <utility>

namespace plimsoll::store::etcd {

void Health::NoteWritten() { Set(std::nullopt); }

void Health::NoteFault(const Fault& fault) {
  // A rejection or a transient fault concerns one write only. NoteStatus reports lasting problems.
  if (fault.kind == Fault::Kind::NoSpace || fault.kind == Fault::Kind::Unreachable) {
    Set(ErrorOf(fault));
  }
}

void Health::NoteStatus(const std::expected<StatusReply, Fault>& reply) {
  if (!reply.has_value()) return Set(ErrorOf(reply.error()));
  for (const std::string& text : reply->errors) {
    if (text.find("NOSPACE") != std::string::npos) {
      return Set(ErrorOf({Fault::Kind::NoSpace, text}));
    }
    if (text.find("CORRUPT") != std::string::npos) {
      return Set(
          Error{Reason::ServiceUnavailable,
                {},
                fmt::format("etcd reports that the data of its members differs ({}): writes fail. "
                            "Replace the corrupt member, then `etcdctl alarm disarm`",
                            text)});
    }
  }
  if (!reply->errors.empty()) {
    return Set(ErrorOf({Fault::Kind::NoLeader, reply->errors.front()}));
  }
  Set(std::nullopt);
}

Status Health::Get() const {
  const std::lock_guard lock(mutex_);
  if (error_.has_value()) return std::unexpected(*error_);
  return {};
}

void Health::Set(std::optional<Error> error) {
  const std::lock_guard lock(mutex_);
  error_ = std::move(error);
}

}  // namespace plimsoll::store::etcd
