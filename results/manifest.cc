#include "results/manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "echo/error.h"
#include "results/fanout.h"
#include "results/json_file.h"

namespace rpcbench {
namespace {

using nlohmann::json;

std::string Text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? "" : found->get<std::string>();
}

void CheckStrings(const json& object, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found != object.end() && !found->is_string()) {
      throw Error(fmt::format("\"{}\" is {}, not a text", key, found->dump()));
    }
  }
}

void CheckFrameworks(const json& frameworks) {
  if (!frameworks.is_array()) throw Error("\"frameworks\" is not an array");
  for (const json& entry : frameworks) {
    if (!entry.is_object()) throw Error("an entry of \"frameworks\" is not an object");
    if (!entry.contains("name")) throw Error("an entry of \"frameworks\" has no \"name\"");
    CheckStrings(entry, {"name", "label", "version", "settings", "carries"});
  }
}

void Check(const json& manifest) {
  if (!manifest.is_object()) throw Error("not an object");
  CheckStrings(manifest, {"date", "host", "kernel", "compiler", "flags", "commit", "profile"});
  for (const char* key : {"machine", "libraries"}) {
    const auto found = manifest.find(key);
    if (found != manifest.end() && !found->is_object()) {
      throw Error(fmt::format("\"{}\" is not an object", key));
    }
  }
  const auto machine = manifest.find("machine");
  if (machine != manifest.end()) CheckStrings(*machine, {"cpu"});
  const auto frameworks = manifest.find("frameworks");
  if (frameworks != manifest.end()) CheckFrameworks(*frameworks);
}

}  // namespace

json ReadManifest(const std::filesystem::path& file) {
  json manifest = ReadJson(file).value;
  try {
    Check(manifest);
  } catch (const Error& error) {
    throw Error(file.string() + ": " + error.what());
  }
  return manifest;
}

std::vector<FrameworkEntry> FrameworksOf(const Run& run) {
  std::vector<FrameworkEntry> all;
  const auto add = [&](FrameworkEntry entry) {
    const auto same = [&](const FrameworkEntry& other) { return other.name == entry.name; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(entry));
  };
  if (run.manifest.contains("frameworks")) {
    for (const json& entry : run.manifest["frameworks"]) {
      const std::string name = Text(entry, "name");
      const std::string label = Text(entry, "label");
      add({name, label.empty() ? name : label, Text(entry, "version"), Text(entry, "settings"),
           Text(entry, "carries")});
    }
  }
  for (const Row& row : run.rows) {
    if (!IsFanout(row)) add({row.framework, row.framework, "", "", ""});
  }
  return all;
}

std::string DescribeMachine(const json& manifest) {
  std::string line;
  const auto append = [&](const std::string& part, const char* separator) {
    if (part.empty()) return;
    line += line.empty() ? part : separator + part;
  };
  const json machine = manifest.value("machine", json::object());
  append(Text(machine, "cpu"), ", ");
  for (const auto& [key, unit] : {std::pair{"cores", "cores"}, std::pair{"memory_mb", "MB"}}) {
    const auto found = machine.find(key);
    if (found == machine.end() || !found->is_number()) continue;
    append(fmt::format("{} {}", found->dump(), unit), ", ");
  }
  append(Text(manifest, "kernel"), "; ");
  append(Text(manifest, "compiler"), "; ");
  for (const char* key : {"commit", "profile"}) {
    const std::string value = Text(manifest, key);
    if (!value.empty()) append(std::string(key) + " " + value, "; ");
  }
  return line;
}

}  // namespace rpcbench
