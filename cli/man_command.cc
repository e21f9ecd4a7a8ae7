// The manual page, written from the same description of the commands that --help prints.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/command_tree.h"

namespace ifd::cli {
namespace man_command {
namespace {

std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool at_start = i == 0 || text[i - 1] == '\n';
    if (at_start && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '-') out += '\\';
    out += text[i] == '\\' ? "\\e" : std::string(1, text[i]);
  }
  return out;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  return fmt::format("{}", fmt::join(words, between));
}

// Whether the description names the values itself.
bool tells_words(const OptionDescription& option) {
  return std::all_of(option.words.begin(), option.words.end(), [&](const std::string& word) {
    return option.description.find(word) != std::string::npos;
  });
}

std::string option_entry(const OptionDescription& option) {
  std::string entry = ".TP\n";
  if (!option.names.empty()) entry += "\\fB" + roff(joined(option.names, ", ")) + "\\fR";
  if (!option.is_flag()) {
    if (!option.names.empty()) entry += ' ';
    entry += "\\fI" + roff(option.value) + "\\fR";
  }
  entry += "\n" + roff(option.description);
  if (!tells_words(option)) {
    entry += fmt::format(" [{}{}]", roff(joined(option.words, ", ")),
                         option.kind == ValueKind::kFile ? ", or a file" : "");
  }
  if (!option.standard.empty()) entry += fmt::format(" (default {})", roff(option.standard));
  return entry + "\n";
}

std::string command_section(const CommandPath& path) {
  std::string section =
      fmt::format(".SS ifd {}\n{}\n", roff(path.words), roff(path.command->description));
  for (const OptionDescription& option : path.command->options) {
    if (!option.description.empty()) section += option_entry(option);
  }
  return section + ".PP\n.nf\n" + roff(path.command->footer) + "\n.fi\n";
}

// What a reader needs before the commands: what goes in, what comes out, where to begin.
std::string description() {
  return roff(
             "From the probabilities of a classifier and past answers of experts, ifd decides case "
             "by case whether the answer of the model stands or which expert takes over. It keeps "
             "a profile of each expert, how often they are right on cases of each class, and from "
             "it the margin of each case: by how much its best expert is expected to be right more "
             "often than the model. The cases with the largest margins are deferred, within a "
             "budget or above a threshold.") +
         "\n.PP\n" +
         roff(
             "Files are CSV (commas, semicolons or tabs; case,[label,]CLASS,... for predictions, "
             "expert,case,answer[,truth] or a column per expert for answers) or NPZ; a file "
             "called - is standard input. Begin with 'ifd check FILE...', which says what files "
             "are and what is odd, or with 'ifd demo', which tells the whole story on data of its "
             "own. Results go to standard output or to the files named; notes and errors go to "
             "standard error.") +
         "\n";
}

std::string manual_page(const CommandTree& tree) {
  std::string page = fmt::format(".TH IFD 1 \"\" \"ifd {}\" \"User Commands\"\n", IFD_VERSION);
  for (const std::string& remark : remarks_of(tree)) page += ".\\\" " + remark + "\n";
  page += fmt::format(
      ".SH NAME\nifd \\- {}\n.SH SYNOPSIS\n.B ifd\n.I COMMAND\n.RI [ OPTIONS ]\n.SH "
      "DESCRIPTION\n{}.SH COMMANDS\n",
      roff(tree.root.description), description());
  for (const CommandPath& path : paths_of(tree.root)) {
    if (path.is_leaf()) page += command_section(path);
  }
  return page +
         ".SH EXIT STATUS\n0 ok, 1 failure, 2 usage, 3 bad input, 4 outside a stated "
         "tolerance, 5 storage.\n";
}

}  // namespace
}  // namespace man_command

void add_man_command(CLI::App& app, Program& program) {
  using namespace man_command;
  add_leaf(app, program, "man", "Print the manual page", "ifd man > ifd.1 && man ./ifd.1", [&app] {
    write_output("", manual_page(whole_tree(app)));
    return 0;
  });
}

}  // namespace ifd::cli
