// The only file that knows CLI11.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "conformance/cli/command.hpp"
#include "conformance/kit/nearest.hpp"
#include "conformance/report/versions.hpp"

namespace streampool::cli {
namespace {

constexpr Option json_option{"--json", Option::Type::flag, "", "Answer with JSON on standard output"};

bool whole(std::string_view text, std::uint64_t& value) {
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

bool fraction(const std::string& text, double& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

bool bytes(std::string_view text, std::uint64_t& value) {
  std::uint64_t unit = 1;
  for (const auto& [suffix, factor] :
       {std::pair<std::string_view, std::uint64_t>{"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}}) {
    if (!text.ends_with(suffix)) continue;
    text.remove_suffix(suffix.size());
    unit = factor;
  }
  if (!whole(text, value) || value > ~std::uint64_t{0} / unit) return false;
  value *= unit;
  return true;
}

bool shard_of(const std::string& text, std::pair<unsigned, unsigned>& shard) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) return false;
  std::uint64_t index = 0, count = 0;
  if (!whole(text.substr(0, slash), index) || !whole(text.substr(slash + 1), count)) return false;
  if (index < 1 || index > count || count > 1'000'000) return false;
  shard = {static_cast<unsigned>(index), static_cast<unsigned>(count)};
  return true;
}

// What is wrong with the value; empty: nothing.
std::string wrong(Option::Type type, const std::string& text) {
  std::uint64_t number = 0;
  double seconds = 0;
  std::pair<unsigned, unsigned> shard;
  switch (type) {
    case Option::Type::number:
      return whole(text, number) ? "" : "expected a whole number";
    case Option::Type::bytes:
      return bytes(text, number) ? "" : "expected a number of bytes, as 64MiB";
    case Option::Type::seconds:
      return fraction(text, seconds) ? "" : "expected a number of seconds";
    case Option::Type::shard:
      return shard_of(text, shard) ? "" : "expected i/n with 1 <= i <= n";
    default:
      return "";
  }
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names = {"--help", "--json"};
  for (const Option& option : command.options) names.emplace_back(option.name);
  return names;
}

// "FILE", "FILE…", "[ID]"
std::string shown(const Positional& positional) {
  const std::string name(positional.name);
  if (positional.minimum == 0) return fmt::format("[{}]", name);
  return positional.maximum > 1 ? name + "…" : name;
}

std::string help(const Command& command) {
  std::string usage = fmt::format("streampool {} [OPTIONS]", command.name);
  if (command.positional.maximum > 0) usage += " " + shown(command.positional);
  if (command.takes_rest) usage += " -- COMMAND [ARGUMENTS]";
  std::string text = fmt::format("{}\n\nUsage: {}\n\n", command.summary, usage);
  const auto row = [&](std::string_view name, std::string_view value, std::string_view about) {
    std::string left(name);
    if (!value.empty()) left += fmt::format(" {}", value);
    text += fmt::format("  {:<25} {}\n", left, about);
  };
  if (command.positional.maximum > 0) row(shown(command.positional), "", command.positional.help);
  for (const Option& option : command.options) row(option.name, option.value, option.help);
  row(json_option.name, "", json_option.help);
  row("--help, -h", "", "Print this and exit");
  return text + fmt::format("\nExit code: {}\n\nExample:\n{}", command.exits, command.example);
}

std::string overview(std::span<const Command> commands) {
  std::string text =
      "streampool: does a stream-ordered memory pool behave as specified?\n\nUsage: streampool COMMAND "
      "[OPTIONS]\n\nCommands:\n";
  for (const Command& command : commands) {
    if (!command.hidden) text += fmt::format("  {:<12}{}\n", command.name, command.summary);
  }
  return text +
         "\n`streampool COMMAND --help` tells the options of one; `streampool --version` the versions.\n\n"
         "Example:\n  streampool run --runtime host --profile strict\n";
}

int complain(bool json, const std::string& message) {
  if (json)
    fmt::print("{}\n",
               nlohmann::json{{"error", message}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  fmt::print(stderr, "streampool: {}\n", message);
  return exit_usage;
}

// How often an option was given, in words of ours. CLI11's text begins with the option's name.
std::string miscounted(const Command& command, const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  for (const Option& option : command.options) {
    if (option.name != name) continue;
    const bool missing = text.find("missing") != std::string::npos;
    return missing ? fmt::format("{} needs {}", name, option.value) : fmt::format("{} is given more than once", name);
  }
  return fmt::format("'{}' takes at most {} of {}", command.name, command.positional.maximum, command.positional.name);
}

// CLI11 names what it did not understand last first, and with values it took for positionals.
std::string unexpected(const Command& command, const std::vector<std::string>& extras) {
  const auto option =
      std::ranges::find_if(extras, [](const std::string& extra) { return extra.starts_with('-') && extra != "-"; });
  if (option == extras.end()) {
    if (command.takes_rest && !extras.empty())
      return fmt::format("the program stands behind `--`: streampool {} [OPTIONS] -- {} …", command.name,
                         extras.back());
    return fmt::format("'{}' takes no further argument '{}'; see `streampool {} --help`", command.name,
                       extras.empty() ? "" : extras.front(), command.name);
  }
  const std::string word = option->substr(0, option->find('='));
  const std::string near = kit::nearest(word, option_names(command));
  return fmt::format("'{}' has no option '{}'{}; see `streampool {} --help`", command.name, word,
                     near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), command.name);
}

}  // namespace

struct Parser {
  const Command& command;
  Arguments arguments;

  // Puts what was given into `arguments`; the error is the exit code.
  bool parse(std::vector<std::string> words, int& exit) {
    const bool json = std::ranges::find(words, "--json") != words.end();
    if (command.takes_rest) {
      const auto separator = std::ranges::find(words, "--");
      if (separator != words.end()) {
        arguments.rest_.assign(separator + 1, words.end());
        words.erase(separator, words.end());
      }
    }
    CLI::App app{std::string(command.summary), fmt::format("streampool {}", command.name)};
    app.set_help_flag("--help,-h");
    std::map<std::string, std::vector<std::string>> texts;
    std::map<std::string, bool> flags;
    const auto add = [&](const Option& option) {
      const std::string name(option.name);
      if (option.type == Option::Type::flag) {
        app.add_flag(name, flags[name]);
        return;
      }
      CLI::Option* added = app.add_option(name, texts[name]);
      added->allow_extra_args(false);
      if (option.type != Option::Type::list) added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
    };
    for (const Option& option : command.options) add(option);
    add(json_option);
    if (command.positional.maximum > 0) {
      app.add_option(std::string(command.positional.name), arguments.positionals_)
          ->expected(static_cast<int>(command.positional.minimum), static_cast<int>(command.positional.maximum));
    }
    std::ranges::reverse(words);  // as CLI11 wants them
    try {
      app.parse(words);
    } catch (const CLI::CallForHelp&) {
      fmt::print("{}", help(command));
      exit = exit_ok;
      return false;
    } catch (const CLI::ExtrasError&) {
      exit = complain(json, unexpected(command, app.remaining()));
      return false;
    } catch (const CLI::ArgumentMismatch& error) {
      exit = complain(json,
                      fmt::format("{}; see `streampool {} --help`", miscounted(command, error.what()), command.name));
      return false;
    } catch (const CLI::ParseError& error) {
      exit =
          complain(json, fmt::format("{}: {}; see `streampool {} --help`", command.name, error.what(), command.name));
      return false;
    }
    if (arguments.positionals_.size() < command.positional.minimum) {
      exit = complain(json, fmt::format("'{}' needs {}; see `streampool {} --help`", command.name,
                                        command.positional.name, command.name));
      return false;
    }
    return check(texts, flags, json, exit);
  }

  bool check(const std::map<std::string, std::vector<std::string>>& texts, const std::map<std::string, bool>& flags,
             bool json, int& exit) {
    for (const auto& [name, set] : flags) {
      if (set) arguments.values_[name];
    }
    for (const Option& option : command.options) {
      const auto found = texts.find(std::string(option.name));
      if (found == texts.end() || found->second.empty()) continue;
      for (const std::string& text : found->second) {
        if (const std::string why = wrong(option.type, text); !why.empty()) {
          exit = complain(json, fmt::format("{} '{}': {}", option.name, text, why));
          return false;
        }
      }
      arguments.values_[found->first] = found->second;
    }
    return true;
  }
};

std::string Arguments::text(std::string_view name, std::string_view otherwise) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(otherwise) : found->second.front();
}

std::vector<std::string> Arguments::list(std::string_view name) const {
  std::vector<std::string> out;
  const auto found = values_.find(name);
  if (found == values_.end()) return out;
  for (const std::string& text : found->second) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      if (end > begin) out.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return out;
}

std::uint64_t Arguments::number(std::string_view name, std::uint64_t otherwise) const {
  std::uint64_t value = otherwise;
  if (const auto found = values_.find(name); found != values_.end()) bytes(found->second.front(), value);
  return value;
}

double Arguments::seconds(std::string_view name, double otherwise) const {
  double value = otherwise;
  if (const auto found = values_.find(name); found != values_.end()) fraction(found->second.front(), value);
  return value;
}

std::pair<unsigned, unsigned> Arguments::shard(std::string_view name) const {
  std::pair<unsigned, unsigned> value{1, 1};
  if (const auto found = values_.find(name); found != values_.end()) shard_of(found->second.front(), value);
  return value;
}

int usage_error(const Arguments& arguments, const std::string& message) { return complain(arguments.json(), message); }

int run_command_line(std::span<const Command> commands, int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty()) {
    fmt::print(stderr, "{}", overview(commands));
    return exit_usage;
  }
  const std::string& first = words.front();
  if (first == "--help" || first == "-h" || first == "help") {
    const auto command = std::ranges::find(commands, words.size() > 1 ? words[1] : "", &Command::name);
    fmt::print("{}", command == commands.end() ? overview(commands) : help(*command));
    return exit_ok;
  }
  if (first == "--version") {
    const bool json = words.size() > 1 && words[1] == "--json";
    const nlohmann::json versions = {{"kit", report::kit_version()},
                                     {"abi", report::abi_version()},
                                     {"specification", report::specification_version()}};
    if (json) {
      fmt::print("{}\n", versions.dump());
    } else {
      fmt::print("streampool {} (runtime ABI {}, specification {})\n", report::kit_version(), report::abi_version(),
                 report::specification_version());
    }
    return exit_ok;
  }
  const auto command = std::ranges::find(commands, first, &Command::name);
  if (command == commands.end()) {
    std::vector<std::string> names;
    for (const Command& one : commands) {
      if (!one.hidden) names.emplace_back(one.name);
    }
    names.insert(names.end(), {"--help", "--version"});
    const std::string near = kit::nearest(first, names);
    const bool json = std::ranges::find(words, "--json") != words.end();
    return complain(json, fmt::format("there is no {} '{}'{}; see `streampool --help`",
                                      first.starts_with('-') ? "general option" : "command", first,
                                      near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
  }
  Parser parser{*command, {}};
  int exit = exit_ok;
  if (!parser.parse({words.begin() + 1, words.end()}, exit)) return exit;
  return command->run(parser.arguments);
}

}  // namespace streampool::cli
