// Flags as every program of results/ takes them: bad usage is one line and exit status 2.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>

namespace rpcbench {

// The exit status where the program is to end here: after --help, or after bad usage, which is told
// on standard error with `allowed`, the arguments that there are.
inline std::optional<int> ParseCommandLine(CLI::App& app, int argc, char** argv,
                                           const std::string& allowed) {
  app.name(std::filesystem::path(argv[0]).filename().string());
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s; allowed: %s %s\n", app.get_name().c_str(), error.what(),
                 app.get_name().c_str(), allowed.c_str());
    return 2;
  }
}

}  // namespace rpcbench
