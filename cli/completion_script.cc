#include "cli/completion_script.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace ifd::cli {
namespace {

std::string comments(const CommandTree& tree) {
  std::string lines;
  for (const std::string& remark : remarks_of(tree)) lines += "# " + remark + "\n";
  return lines;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// In single quotes, for bash and zsh.
std::string quoted(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

// The words that no shell takes for anything else; a word of another kind is not offered.
std::string plain_words(const std::vector<std::string>& words) {
  std::vector<std::string> plain;
  std::copy_if(words.begin(), words.end(), std::back_inserter(plain), [](const std::string& word) {
    return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
      return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.' || c == '+';
    });
  });
  return fmt::format("{}", fmt::join(plain, " "));
}

std::string one_line(const std::string& text) { return replaced(text, "\n", " "); }

// What is known by its place alone, if anything is.
const OptionDescription* value_by_place(const CommandDescription& command) {
  const auto found = std::find_if(command.options.begin(), command.options.end(),
                                  [](const OptionDescription& o) { return o.names.empty(); });
  return found == command.options.end() ? nullptr : &*found;
}

// --- bash
// -----------------------------------------------------------------------------------------

// What may stand in a place, as assignments for the script.
std::string bash_values(const OptionDescription& option) {
  std::vector<std::string> parts;
  if (const std::string words = plain_words(option.words); !words.empty()) {
    parts.push_back("words=" + quoted(words));
  }
  if (option.kind == ValueKind::kFile) parts.emplace_back("paths='file'");
  if (option.kind == ValueKind::kFolder) parts.emplace_back("paths='directory'");
  if (option.is_list) parts.emplace_back("list=','");
  return parts.empty() ? "words=''" : fmt::format("{}", fmt::join(parts, " "));
}

// "a pattern of words" -> what may follow them, a line for every answer.
std::string bash_cases(const std::vector<std::pair<std::string, std::string>>& cases) {
  std::map<std::string, std::vector<std::string>> patterns;
  for (const auto& [pattern, answer] : cases) patterns[answer].push_back(quoted(pattern));
  std::string lines;
  for (const auto& [answer, all] : patterns) {
    lines += fmt::format("    {}) {} ;;\n", fmt::join(all, "|"), answer);
  }
  return lines;
}

// What may follow a command: commands below it and options, or a value.
std::string bash_following(const CommandDescription& command) {
  std::vector<std::string> commands, options;
  for (const CommandDescription& below : command.commands) commands.push_back(below.name);
  for (const OptionDescription& option : command.options) {
    for (const std::string& name : option.names) {
      if (name.starts_with("--")) options.push_back(name);
    }
  }
  std::string answer = "options=" + quoted(plain_words(options));
  if (!commands.empty()) answer += " words=" + quoted(plain_words(commands));
  if (const OptionDescription* value = value_by_place(command)) {
    answer += " " + bash_values(*value);
  }
  return answer;
}

// bash cuts words at '=' (COMP_WORDBREAKS), so that '--option=value' comes as three words and
// '--option name=value' as four, unless somebody told it not to. The option is the word before,
// seen past these cuts.
constexpr const char* kBashFrame = R"(_ifd() {{
  local current=${{COMP_WORDS[COMP_CWORD]}}
  local command='' option='' lead='' words='' options='' paths='' list='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command${{command:+ }}${{COMP_WORDS[i]}}" in
{}      command+="${{command:+ }}${{COMP_WORDS[i]}}" ;;
    *) break ;;
    esac
  done
  for ((i = COMP_CWORD - 1; i > 0; i--)); do
    option=${{COMP_WORDS[i]}}
    [[ $option == -* ]] && break
    [[ $option == '=' || ${{COMP_WORDS[i + 1]}} == '=' ]] || break
  done
  [[ $current == '=' ]] && current=''
  if [[ $current == --*=* ]]; then
    option=${{current%%=*}} lead=${{current%%=*}}= current=${{current#*=}}
  fi
  case "$command $option" in
{}    *) option='' ;;
  esac
  if [[ -z $option ]]; then
    case $command in
{}    esac
    [[ $current == -* ]] && words=$options paths=''
    [[ -z $current && -z $words && -z $paths ]] && words=$options
  fi
  if [[ -n $list && $current == *,* ]]; then
    lead+=${{current%,*}}, current=${{current##*,}}
  fi
  local reply
  COMPREPLY=()
  while IFS='' read -r reply; do
    COMPREPLY+=("$lead$reply")
  done < <(
    [[ -n $words ]] && compgen -W "$words" -- "$current"
    [[ -n $paths ]] && compgen -A "$paths" -- "$current"
  )
  if [[ -n $paths ]]; then
    compopt -o filenames -o default 2>/dev/null
  fi
  return 0
}}
complete -F _ifd ifd
)";

// --- zsh
// ------------------------------------------------------------------------------------------

std::string zsh_escaped(const std::string& text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '\\' || c == ':' || c == '[' || c == ']') out += '\\';
    out += c;
  }
  return out;
}

// ":what it is:what gives the matches", as _arguments wants it.
std::string zsh_value(const OptionDescription& option) {
  const std::string words = plain_words(option.words);
  const bool file = option.kind == ValueKind::kFile;
  std::string action = " ";
  if (!words.empty()) {
    action = (option.is_list ? "{_sequence compadd - " : "{compadd -- ") + words +
             (file ? "; _files}" : "}");
  } else if (file) {
    action = "_files";
  } else if (option.kind == ValueKind::kFolder) {
    action = "_files -/";
  }
  return ":" + zsh_escaped(option.value) + ":" + action;
}

std::string zsh_arguments(const CommandDescription& command) {
  std::string specifications;
  for (const OptionDescription& option : command.options) {
    if (option.names.empty()) {
      specifications += " \\\n        " + quoted("*" + zsh_value(option));
      continue;
    }
    const std::string together = fmt::format("({})", fmt::join(option.names, " "));
    for (const std::string& name : option.names) {
      const std::string sign = option.is_flag() ? "" : name.starts_with("--") ? "=" : "+";
      specifications +=
          " \\\n        " + quoted(together + name + sign + "[" + zsh_escaped(option.description) +
                                   "]" + (option.is_flag() ? "" : zsh_value(option)));
    }
  }
  return "_arguments -s -S" + specifications;
}

std::string zsh_commands(const CommandDescription& command) {
  std::string entries;
  for (const CommandDescription& below : command.commands) {
    entries += " \\\n        " + quoted(below.name + ":" + zsh_escaped(below.description));
  }
  return "commands=(" + entries + ")\n      _describe command commands";
}

constexpr const char* kZshFrame = R"(_ifd() {{
  local command=''
  local -a commands
  local -i at=2
  while (( at < CURRENT )); do
    case "${{command}}${{command:+ }}${{words[at]}}" in
    {}) command+="${{command:+ }}${{words[at]}}" ;;
    *) break ;;
    esac
    (( at++ ))
  done
  words=(ifd "${{(@)words[at,-1]}}")
  (( CURRENT -= at - 2 ))
  case $command in
{}  esac
}}
if [[ $funcstack[1] == _ifd ]]; then
  _ifd "$@"
else
  compdef _ifd ifd
fi
)";

// --- fish
// -----------------------------------------------------------------------------------------

std::string fish_quoted(const std::string& text) {
  return "'" + replaced(replaced(one_line(text), "\\", "\\\\"), "'", "\\'") + "'";
}

// How a value is completed: -x forbids files, -F allows them.
std::string fish_value(const OptionDescription& option) {
  if (option.is_flag()) return {};
  const std::string words = plain_words(option.words);
  if (option.kind == ValueKind::kFolder) return " -x -a '(__fish_complete_directories)'";
  std::string text = option.kind == ValueKind::kFile ? " -r -F" : " -x";
  if (!words.empty()) text += " -a " + fish_quoted(words);
  return text;
}

std::string fish_option(const std::string& condition, const OptionDescription& option) {
  std::string line = "complete -c ifd -n " + condition;
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (option.names.empty() && option.kind == ValueKind::kText && option.words.empty()) return {};
  line += option.names.empty() && option.kind == ValueKind::kFile ? " -F" : fish_value(option);
  return line + " -d " + fish_quoted(option.description) + "\n";
}

constexpr const char* kFishFrame = R"(function __ifd_at
    test (count $argv) -eq 0; and return 0
    set -l tokens (commandline -opc)
    set -l last (math (count $argv) + 1)
    test (count $tokens) -ge $last; and test "$tokens[2..$last]" = "$argv"
end
function __ifd_right_after
    test (count (commandline -opc)) -eq (math (count $argv) + 1); and __ifd_at $argv
end
complete -c ifd -f
)";

}  // namespace

std::string bash_completion(const CommandTree& tree) {
  std::vector<std::string> known;
  std::vector<std::pair<std::string, std::string>> values, following;
  std::vector<CommandPath> paths = paths_of(tree.root);
  paths.insert(paths.begin(), {"", &tree.root});
  for (const CommandPath& path : paths) {
    if (!path.words.empty()) known.push_back(quoted(path.words));
    following.emplace_back(path.words, bash_following(*path.command));
    for (const OptionDescription& option : path.command->options) {
      if (option.is_flag()) continue;
      for (const std::string& name : option.names) {
        values.emplace_back(path.words + " " + name, bash_values(option));
      }
    }
  }
  return comments(tree) + fmt::format(fmt::runtime(kBashFrame),
                                      fmt::format("    {})\n", fmt::join(known, "|")),
                                      bash_cases(values), bash_cases(following));
}

std::string zsh_completion(const CommandTree& tree) {
  std::vector<std::string> known;
  std::vector<CommandPath> paths = paths_of(tree.root);
  paths.insert(paths.begin(), {"", &tree.root});
  std::string cases;
  for (const CommandPath& path : paths) {
    if (!path.words.empty()) known.push_back(quoted(path.words));
    cases +=
        fmt::format("    {})\n      {} ;;\n", quoted(path.words),
                    path.is_leaf() ? zsh_arguments(*path.command) : zsh_commands(*path.command));
  }
  return "#compdef ifd\n" + comments(tree) +
         fmt::format(fmt::runtime(kZshFrame), fmt::join(known, "|"), cases);
}

std::string fish_completion(const CommandTree& tree) {
  std::string script = comments(tree) + kFishFrame;
  std::vector<CommandPath> paths = paths_of(tree.root);
  paths.insert(paths.begin(), {"", &tree.root});
  for (const CommandPath& path : paths) {
    const std::string after = path.words.empty() ? "" : " " + path.words;
    for (const CommandDescription& below : path.command->commands) {
      script += fmt::format("complete -c ifd -n '__ifd_right_after{}' -a {} -d {}\n", after,
                            below.name, fish_quoted(below.description));
    }
    const std::string condition =
        fmt::format("'{}{}'", path.is_leaf() ? "__ifd_at" : "__ifd_right_after", after);
    for (const OptionDescription& option : path.command->options) {
      script += fish_option(condition, option);
    }
  }
  return script;
}

}  // namespace ifd::cli
