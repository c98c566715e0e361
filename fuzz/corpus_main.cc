// `fuzz_corpus TARGET DIRECTORY [ROUNDS [SEED]]` runs a fuzz target over each file of the
// directory, by name. Then it runs it ROUNDS times over a mutated copy of each. The mutations
// depend on SEED alone. An input that ends the process is left in fuzz_corpus.TARGET.input. Exits
// with an error when there is no such target or no file.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/random.h"
#include "corpus_targets.h"

namespace {

std::vector<std::string> FilesOf(const std::string& directory) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

/// Changes, removes, repeats or swaps in some bytes at one to four places.
std::string Mutated(std::string text, const std::string& other, plimsoll::Random& random) {
  static constexpr std::string_view kBytes("\0\1\x7f\x80\xff\"\\{}[]:,.-0159eE \n\r/", 26);
  const auto at = [&](const std::string& where) { return random.Below(where.size() + 1); };
  for (std::uint64_t places = random.Below(4) + 1; places > 0; --places) {
    const std::size_t from = at(text);
    const std::size_t size = random.Below(std::min<std::size_t>(text.size() - from, 16) + 1);
    switch (random.Below(5)) {
      case 0:
        if (from < text.size()) text[from] = static_cast<char>(random.Below(256));
        break;
      case 1:
        text.insert(from, 1, kBytes[random.Below(kBytes.size())]);
        break;
      case 2:
        text.erase(from, size);
        break;
      case 3:
        text.insert(from, text.substr(from, size));
        break;
      default:
        text.replace(from, size, other.substr(at(other), random.Below(32)));
    }
  }
  return text;
}

void Run(const FuzzTarget& target, const std::string& input) {
  // A copy of its very size, so that a read beyond its end is noticed.
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  target.run(bytes.data(), bytes.size());
}

/// Returns false when a file cannot be read.
bool RunAll(const FuzzTarget& target, const std::vector<std::string>& files, long rounds,
            std::uint64_t seed) {
  std::vector<std::string> inputs;
  for (const std::string& file : files) {
    plimsoll::Result<std::string> input = plimsoll::ReadFile(file);
    if (!input) return false;
    std::printf("%s\n", file.c_str());
    std::fflush(stdout);  // names the file when the target ends the process
    Run(target, *input);
    inputs.push_back(*std::move(input));
  }
  plimsoll::Random random(seed);
  const std::string left = "fuzz_corpus." + std::string(target.name) + ".input";
  for (long round = 0; round < rounds; ++round) {
    for (const std::string& input : inputs) {
      const std::string mutated = Mutated(input, inputs[random.Below(inputs.size())], random);
      std::ofstream(left, std::ios::binary) << mutated;
      Run(target, mutated);
    }
  }
  std::remove(left.c_str());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (arguments.size() < 3 || arguments.size() > 5) {
    std::fputs("usage: fuzz_corpus TARGET DIRECTORY [ROUNDS [SEED]]\n", stderr);
    return 2;
  }
  const auto* const target = std::ranges::find(kFuzzTargets, arguments[1], &FuzzTarget::name);
  const std::vector<std::string> files = FilesOf(arguments[2]);
  if (target == std::end(kFuzzTargets) || files.empty()) {
    std::fprintf(stderr, "fuzz_corpus: no target %s, or no files in %s\n", arguments[1].c_str(),
                 arguments[2].c_str());
    return 1;
  }
  const long rounds = arguments.size() > 3 ? std::atol(arguments[3].c_str()) : 0;
  const long seed = arguments.size() > 4 ? std::atol(arguments[4].c_str()) : 1;
  return RunAll(*target, files, rounds, static_cast<std::uint64_t>(seed)) ? 0 : 1;
}
