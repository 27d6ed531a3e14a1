// A report: tables of figures with what must be said around them, for a terminal, Markdown or JSON.
// Knows no run.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace rpcbench {

// Nothing where nothing was measured.
using Cell = std::variant<std::monostate, std::string, double>;

struct Column {
  std::string id;     // the key in JSON, with the unit: "p50_ms"
  std::string head;   // for people; a newline breaks the head in a terminal
  int decimals = -1;  // of figures; -1 for texts
  bool shown = true;  // false: in JSON only
};

struct Block {
  std::string id;
  std::string title;
  std::string note;  // what a reader must know before comparing its rows; may be empty
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // each as long as columns
};

struct Left {
  std::string run;  // "" if the report is of one run; else "A" or "B"
  std::string row;
  std::string status;
  std::string reason;
  std::string group;  // rows of one group, run, status and reason are told in one line to people
};

struct Report {
  std::vector<std::string> head;      // what was read, a line each
  std::vector<std::string> warnings;  // why it may be unfair to compare
  std::vector<Block> blocks;
  std::vector<Left> left_out;  // rows without figures, and why
  bool good = true;
  std::string verdict;  // the last line
};

// Aligned columns, no colours; `width` is where notes and reasons are wrapped. Tables are not.
std::string ToText(const Report& report, std::size_t width = 100);

std::string ToMarkdown(const Report& report);

// {"head": [text], "warnings": [text],
//  "blocks": [{"id", "title", "note", "rows": [{<column id>: text, number or null}]}],
//  "left_out": [{"run", "row", "status", "reason"}], "good": bool, "verdict": text}
// Figures are not rounded.
std::string ToJson(const Report& report);

}  // namespace rpcbench
