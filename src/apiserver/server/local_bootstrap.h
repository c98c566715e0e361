#pragma once

#include "apiserver/bootstrap/bootstrap.h"
#include "apiserver/resource/resource.h"
#include "net/client.h"

namespace plimsoll::apiserver {

/// Writes the default objects through the API, like any other client.
class LocalBootstrap final : public BootstrapWriter {
 public:
  /// `transport` must be authorized for everything. Both references must outlive this object.
  LocalBootstrap(net::Transport& transport, const ResourceTable& resources)
      : transport_(transport), resources_(resources) {}

  Result<std::optional<std::string>> Get(std::string_view group, std::string_view resource,
                                         std::string_view namespace_,
                                         std::string_view name) override;
  Status Create(const DefaultObject& object) override;
  Status Update(const DefaultObject& object) override;
  Status Delete(const DefaultObject& object) override;
  Status UpdateStatus(const DefaultObject& object) override;

 private:
  Result<net::ClientResponse> Send(std::string method, std::string target, std::string body);
  Status Expect(std::string method, std::string target, std::string body);
  std::string PathOf(std::string_view group, std::string_view resource, std::string_view namespace_,
                     std::string_view name) const;

  net::Transport& transport_;
  const ResourceTable& resources_;
};

}  // namespace plimsoll::apiserver
