#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "cli/output/style.h"
#include "cli/up/node_survey.h"
#include "codec/document.h"

namespace plimsoll::cli {

/// Data for the start screen.
struct StartScreenFacts {
  std::string url = {};
  std::string kubeconfig = {};
  std::string merged_kubeconfig = {};  // user's file that has the context, too; empty: none
  std::string context = {};            // its name
  std::string directory = {};
  std::string stop_command = {};  // empty: Ctrl-C
  NodeSurvey nodes = {};
  bool is_demo = false;
  bool has_demo_nodes = false;  // of the demo's own template
  bool had_data = false;        // from an earlier run
};

/// Returns one screen of text: what runs, the kubeconfig, things to try that work on these nodes,
/// how to stop.
std::string StartScreenText(const StartScreenFacts& facts);

/// Returns the facts of the screen for programs. `facts` must outlive the result.
codec::Value ToTree(const StartScreenFacts& facts, codec::Document& document);

/// Writes the screen. Folds its texts, but no command: a terminal copies the lines that it wraps
/// itself as one line.
void WriteStartScreen(std::string_view screen, const Look& look, std::ostream& out);

/// Quotes a word for a shell, if it needs quotes.
std::string ShellWord(const std::string& word);

}  // namespace plimsoll::cli
