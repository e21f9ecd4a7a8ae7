// The manual page, written from the same description of the commands that --help prints.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/command_tree.h"

namespace ifd::cli {
namespace {

std::string roff(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool at_start = i == 0 || text[i - 1] == '\n';
    if (at_start && (text[i] == '.' || text[i] == '\'')) out += "\\&";
    if (text[i] == '\\' || text[i] == '-') out += '\\';
    out += text[i];
  }
  return out;
}

std::string manual_page(const CLI::App& app) {
  std::string page = fmt::format(
      ".TH IFD 1 \"\" \"ifd {0}\" \"User Commands\"\n.SH NAME\nifd \\- {1}\n.SH SYNOPSIS\n"
      ".B ifd\n.I COMMAND\n.RI [ OPTIONS ]\n",
      IFD_VERSION, roff(app.get_description()));
  page += ".SH COMMANDS\n";
  for (const Leaf& leaf : leaves_of(app)) {
    page += fmt::format(".SS ifd {}\n{}\n", roff(leaf.path), roff(leaf.app->get_description()));
    for (const CLI::Option* option : leaf.app->get_options()) {
      if (option->get_description().empty()) continue;
      page += fmt::format(".TP\n.B {}", roff(option->get_name(false, true)));
      if (option->get_type_size() != 0) page += " " + roff(option->get_type_name());
      page += "\n" + roff(option->get_description());
      if (!option->get_default_str().empty() && option->get_type_size() != 0) {
        page += fmt::format(" (default {})", roff(option->get_default_str()));
      }
      page += "\n";
    }
    page += ".PP\n.nf\n" + roff(leaf.app->get_footer()) + "\n.fi\n";
  }
  return page +
         ".SH EXIT STATUS\n0 ok, 1 failure, 2 usage, 3 bad input, 4 outside a stated "
         "tolerance, 5 storage.\n";
}

}  // namespace

void add_man_command(CLI::App& app, Program& program) {
  add_leaf(app, program, "man", "Print the manual page", "ifd man > ifd.1 && man ./ifd.1", [&app] {
    write_output("", manual_page(app));
    return 0;
  });
}

}  // namespace ifd::cli
