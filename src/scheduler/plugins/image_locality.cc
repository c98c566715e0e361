#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::int64_t kMebibyte = 1024 * 1024;
constexpr std::int64_t kBytesMin = 23 * kMebibyte;  // smaller sums score 0
constexpr std::int64_t kBytesMaxPerImage = 1000 * kMebibyte;

/// Returns the image name as nodes list it: with a tag or a digest.
std::string CompleteName(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t colon = name.rfind(':');
  const bool has_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return std::string(name) + (has_tag ? "" : ":latest");
}

/// Returns all images of the pod. An image that two containers use is listed twice.
std::vector<std::string> ImagesOf(const ClassView& pod) {
  std::vector<std::string> names;
  for (const auto* containers : {&pod.init_containers, &pod.containers}) {
    for (const ContainerView& one : *containers) names.push_back(CompleteName(one.image));
  }
  for (const VolumeView& volume : pod.volumes) {
    if (!volume.image.empty()) names.push_back(CompleteName(volume.image));
  }
  return names;
}

struct ImageState final : PluginState {
  explicit ImageState(std::vector<std::string> images) : names(std::move(images)) {}

  /// An image on some node. `bytes` is scaled by the share of nodes that have it.
  struct Known {
    ImageTable::NameId id;
    std::int64_t bytes;
  };

  std::vector<std::string> names;
  // Lookup results at `version`, shared by all nodes.
  mutable std::vector<Known> known;
  mutable std::uint64_t version = ~std::uint64_t{0};
};

/// Prefers nodes that already have the pod's images. An image on few nodes counts less, so that its
/// pods do not all go there.
class ImageLocality final : public Plugin, public ScorePlugin, public NodeScopedPlugin {
 public:
  explicit ImageLocality(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "ImageLocality"; }

  Changes depends_on() const override { return kImages; }
  std::uint64_t SharedVersion() const override {
    const ImageTable& images = cluster_.images();
    return images.empty() ? 0 : images.version() << 32 | cluster_.node_count();
  }

  PreScoreOutcome BeginScore(const PodClass& pod, const PluginState* /*filter_state*/) override {
    return {.verdict = {}, .state = std::make_shared<ImageState>(ImagesOf(*pod.view))};
  }

  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override {
    const auto& images = static_cast<const ImageState&>(*state);
    BringUpToDate(images);
    if (images.known.empty()) return 0;
    std::int64_t bytes = 0;
    for (const ImageState::Known& image : images.known) {
      if (cluster_.images().Has(node.slot, image.id)) bytes += image.bytes;
    }
    const std::int64_t bytes_max =
        kBytesMaxPerImage * static_cast<std::int64_t>(images.names.size());
    return 100 * (std::clamp(bytes, kBytesMin, bytes_max) - kBytesMin) / (bytes_max - kBytesMin);
  }

  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override {
    ScoreNodes(cluster_, nodes, scores, [&](const NodeView& node) { return ScoreOf(state, node); });
  }

 private:
  void BringUpToDate(const ImageState& state) const {
    const std::uint64_t version = SharedVersion();
    if (state.version == version) return;
    state.version = version;
    state.known.clear();
    const auto nodes = static_cast<double>(cluster_.node_count());
    for (const std::string& name : state.names) {
      const ImageTable::NameId id = cluster_.images().FindName(name);
      if (id == Interner::kNone) continue;
      const ImageTable::Image& image = cluster_.images().image(id);
      const double spread = static_cast<double>(image.nodes) / nodes;
      state.known.push_back(
          {id, static_cast<std::int64_t>(static_cast<double>(image.size_bytes) * spread)});
    }
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeImageLocality(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<ImageLocality>(cluster);
}

}  // namespace plimsoll::scheduler
