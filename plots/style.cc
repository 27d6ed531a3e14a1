// The palette, the shapes, and the order that hands them out.
#include "plots/style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace rpcbench {
namespace {

// Neighbours differ in lightness as well as in hue, so that the common forms of colour blindness
// and a grey print still tell them apart.
constexpr std::array<const char*, 18> kColours = {
    "#0072b2", "#e69f00", "#009e73", "#882255", "#56b4e9", "#d55e00",
    "#332288", "#cc79a7", "#117733", "#a58b00", "#aa4499", "#44aa99",
    "#661100", "#7f7f7f", "#000000", "#9999dd", "#cc6677", "#7a9a01"};

// Circle, square, triangles, diamond and pentagon: filled, then open.
constexpr std::array<int, 12> kPoints = {7, 5, 9, 11, 13, 15, 6, 4, 8, 10, 12, 14};

// The first of these keys that holds a text; manifests may be of any age.
std::string TextOf(const nlohmann::json& object, std::initializer_list<const char*> keys) {
  if (!object.is_object()) return "";
  for (const char* key : keys) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string()) return found->get<std::string>();
  }
  return "";
}

}  // namespace

Style StyleOf(std::size_t index) {
  return {.colour = kColours[index % kColours.size()],
          .point = kPoints[index % kPoints.size()],
          .dash = index < kColours.size() ? 1 : 5};
}

std::string Lighter(const std::string& colour, double share) {
  std::string mixed = "#";
  for (std::size_t at = 1; at + 1 < colour.size(); at += 2) {
    const double part = std::stoi(colour.substr(at, 2), nullptr, 16);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%02x",
                  static_cast<unsigned>(std::lround(part + (255.0 - part) * share)) & 0xffU);
    mixed += digits;
  }
  return mixed;
}

std::vector<FrameworkName> FrameworksOf(const Run& run) {
  std::vector<FrameworkName> names;
  const auto add = [&names](const std::string& identifier, const std::string& label) {
    const auto same = [&](const FrameworkName& name) { return name.identifier == identifier; };
    if (identifier.empty() || std::any_of(names.begin(), names.end(), same)) return;
    names.push_back({identifier, label.empty() ? identifier : label});
  };
  if (run.manifest.contains("frameworks") && run.manifest.at("frameworks").is_array()) {
    for (const auto& entry : run.manifest.at("frameworks")) {
      add(TextOf(entry, {"name", "identifier"}), TextOf(entry, {"label"}));
    }
  }
  for (const Row& row : run.rows) add(row.framework, "");
  return names;
}

std::vector<std::string> SourceOf(const Run& run) {
  std::vector<std::string> parts;
  const auto add = [&parts](const std::string& before, const std::string& text) {
    if (!text.empty()) parts.push_back(before + text);
  };
  const auto machine = run.manifest.find("machine");
  if (machine != run.manifest.end() && machine->is_object()) {
    add("", TextOf(*machine, {"cpu", "model", "name"}));
  } else {
    add("", TextOf(run.manifest, {"machine", "cpu"}));
  }
  add("", TextOf(run.manifest, {"date", "started", "time"}));
  add("profile ", TextOf(run.manifest, {"profile"}));
  return parts;
}

}  // namespace rpcbench
