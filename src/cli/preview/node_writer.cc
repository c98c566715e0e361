#include "cli/preview/node_writer.h"

#include <utility>

#include "cli/preview/node_change.h"

namespace plimsoll::cli {
namespace {

constexpr int kTriesMax = 10;

}  // namespace

Result<bool> WriteNode(const client::Client& client, ObjectPtr node, const ChangeOfNode& change,
                       const std::string& field_manager) {
  const std::string name(node->metadata().name);
  client::PatchOptions options;
  options.type = client::PatchType::Merge;
  options.field_manager = field_manager;
  for (int tries = 1;; ++tries) {
    const ObjectPtr changed = PL_TRY(change(node));
    if (changed == node) return false;
    const client::Resource resource{node->kind(), {}, name};
    const auto answer = client.Patch(resource, NodePatch(*node, *changed), options);
    if (answer) return true;
    const Error error = api::ToError(answer.error());
    if (error.reason != Reason::Conflict || tries == kTriesMax) {
      return Fail(error.reason, "cannot change node " + name + ": " + error.message);
    }
    auto current = client.Get(resource);
    if (!current) return std::unexpected(api::ToError(current.error()));
    node = *std::move(current);
  }
}

}  // namespace plimsoll::cli
