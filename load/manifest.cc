// manifest: writes a run's manifest.json: machine, kernel, compiler, flags, commit, libraries and
// frameworks.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "frameworks/all.h"
#include "measure/environment.h"
#include "measure/resources.h"
#include "process/program.h"
#include "results/files.h"

namespace rpcbench {
namespace {

const char* ToString(Carries carries) {
  switch (carries) {
    case Carries::kOne:
      return "one";
    case Carries::kInOrder:
      return "in_order";
    case Carries::kMany:
      return "many";
  }
  return "unknown";
}

nlohmann::json Manifest(const std::string& profile) {
  nlohmann::json manifest = Environment();
  manifest["profile"] = profile;
  const CpuSplit split = SplitAllowedCpus();
  manifest["client_cpus"] = split.client;
  manifest["server_cpus"] = split.server;
  manifest["frameworks"] = nlohmann::json::array();
  manifest["libraries"] = nlohmann::json::object();
  for (const Framework& framework : AllFrameworks()) {
    manifest["frameworks"].push_back({{"name", framework.name},
                                      {"label", framework.label},
                                      {"version", framework.version},
                                      {"settings", framework.settings},
                                      {"transport", framework.traits.transport},
                                      {"codec", framework.traits.codec},
                                      {"carries", ToString(framework.traits.carries)}});
    manifest["libraries"][framework.name] = framework.version;
  }
  for (const NotBuilt& missing : FrameworksNotBuilt()) {
    manifest["not_built"].push_back({{"name", missing.name}, {"reason", missing.reason}});
  }
  return manifest;
}

void Write(const nlohmann::json& manifest, const std::string& file) {
  const std::string text = manifest.dump(2) + "\n";
  if (file.empty())
    fmt::print("{}", text);
  else
    WriteFile(file, text);
}

int Main(int argc, char** argv) {
  std::string out;
  std::string profile = "custom";
  CLI::App app("Writes what a run was made with and where.");
  app.add_option("--out", out, "The file to write; standard output if absent");
  app.add_option("--profile", profile, "The name of the run's profile")->capture_default_str();
  const auto read = [&] {
    app.parse(argc, argv);
    return true;
  };
  const auto run = [&] {
    Write(Manifest(profile), out);
    return 0;
  };
  return RunProgram(app, {"manifest", read, run});
}

}  // namespace
}  // namespace rpcbench

int main(int argc, char** argv) {
  return rpcbench::Main(argc, argv);
}
