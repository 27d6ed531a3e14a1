#include "results/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace rpcbench {
namespace {

// 1234567.8 with no decimals is 1,234,568.
std::string Figure(double value, int decimals) {
  std::string text = fmt::format("{:.{}f}", value, std::max(decimals, 0));
  const std::size_t first = text.starts_with('-') ? 1 : 0;
  for (std::size_t at = std::min(text.find('.'), text.size()); at > first + 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::string Show(const Cell& cell, const Column& column) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* value = std::get_if<double>(&cell)) return Figure(*value, column.decimals);
  return "-";
}

// In characters, not bytes.
std::size_t Width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

std::vector<std::string> Split(const std::string& text, const char* separators) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// `text` in lines of at most `width` where its words allow, all but the first indented.
std::string Wrap(const std::string& text, std::size_t width, std::size_t indent) {
  std::string wrapped;
  std::size_t used = 0;
  for (const std::string& word : Split(text, " \n\r\t")) {
    if (used > 0 && used + 1 + Width(word) > width) {
      wrapped += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (used > 0) {
      wrapped += " ";
      ++used;
    }
    wrapped += word;
    used += Width(word);
  }
  return wrapped + "\n";
}

// The shown columns of a block as text; heads break into lines.
class Grid final {
 public:
  explicit Grid(const Block& block) {
    std::vector<std::vector<std::string>> heads;
    std::size_t height = 0;
    for (const Column& column : block.columns) {
      heads.push_back(Split(column.head, "\n"));
      if (column.shown) height = std::max(height, heads.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      auto& texts = lines_.emplace_back();
      for (std::size_t i = 0; i < heads.size(); ++i) {
        if (!block.columns[i].shown) continue;
        const std::size_t above = height - std::min(height, heads[i].size());
        texts.push_back(line < above ? "" : heads[i][line - above]);
      }
    }
    for (const auto& row : block.rows) {
      auto& texts = lines_.emplace_back();
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (block.columns[i].shown) texts.push_back(Show(row[i], block.columns[i]));
      }
    }
    for (const Column& column : block.columns) {
      if (column.shown) left_.push_back(column.decimals < 0);
    }
  }

  std::string ToText() const {
    std::vector<std::size_t> widths(left_.size());
    for (const auto& line : lines_) {
      for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], Width(line[i]));
    }
    std::string text;
    for (const auto& line : lines_) {
      std::string out;
      for (std::size_t i = 0; i < line.size(); ++i) {
        const std::string gap(widths[i] - Width(line[i]), ' ');
        out += i > 0 ? "  " : "";
        out += left_[i] ? line[i] + gap : gap + line[i];
      }
      out.erase(out.find_last_not_of(' ') + 1);
      text += out + "\n";
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> lines_;
  std::vector<bool> left_;
};

// One line for the rows that are left out together.
struct LeftGroup {
  Left first;
  std::size_t rows = 0;

  std::string Name() const {
    return rows == 1 ? first.row : fmt::format("{} ({} rows)", first.group, rows);
  }
};

std::vector<LeftGroup> Gather(const std::vector<Left>& left_out) {
  std::vector<LeftGroup> groups;
  for (const Left& left : left_out) {
    const auto same = [&](const LeftGroup& group) {
      return group.first.run == left.run && group.first.group == left.group &&
             group.first.status == left.status && group.first.reason == left.reason;
    };
    const auto found = std::find_if(groups.begin(), groups.end(), same);
    ++(found != groups.end() ? *found : groups.emplace_back(LeftGroup{left})).rows;
  }
  return groups;
}

std::string Escape(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '<') safe += '\\';
    safe += c == '\n' || c == '\r' ? ' ' : c;
  }
  return safe;
}

std::string MarkdownTable(const Block& block) {
  std::string head = "|";
  std::string rule = "|";
  for (const Column& column : block.columns) {
    if (!column.shown) continue;
    head += " " + Escape(column.head) + " |";
    rule += column.decimals < 0 ? " :--- |" : " ---: |";
  }
  std::string text = head + "\n" + rule + "\n";
  for (const auto& row : block.rows) {
    text += "|";
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (block.columns[i].shown) text += " " + Escape(Show(row[i], block.columns[i])) + " |";
    }
    text += "\n";
  }
  return text;
}

Block LeftBlock(const std::vector<Left>& left_out) {
  Block block{"left_out", "Left out", "", {}, {}};
  const bool two = std::any_of(left_out.begin(), left_out.end(),
                               [](const Left& left) { return !left.run.empty(); });
  block.columns = {
      {"run", "run", -1, two}, {"row", "row"}, {"status", "status"}, {"reason", "reason"}};
  for (const LeftGroup& group : Gather(left_out)) {
    block.rows.push_back({group.first.run, group.Name(), group.first.status, group.first.reason});
  }
  return block;
}

}  // namespace

std::string ToText(const Report& report, std::size_t width) {
  std::string text;
  for (const std::string& line : report.head) text += Wrap(line, width, 2);
  for (const std::string& warning : report.warnings) text += Wrap("warning: " + warning, width, 2);
  for (const Block& block : report.blocks) {
    text += "\n" + Wrap(block.title, width, 2);
    if (!block.note.empty()) text += Wrap("(" + block.note + ")", width, 1);
    text += Grid(block).ToText();
  }
  if (!report.left_out.empty()) text += "\nLeft out\n";
  for (const LeftGroup& group : Gather(report.left_out)) {
    const std::string run = group.first.run.empty() ? "" : group.first.run + " ";
    text +=
        Wrap(fmt::format("{}{}: {}: {}", run, group.Name(), group.first.status, group.first.reason),
             width, 4);
  }
  return text + "\n" + Wrap(report.verdict, width, 0);
}

std::string ToMarkdown(const Report& report) {
  std::string text;
  for (const std::string& line : report.head) text += Escape(line) + "  \n";
  for (const std::string& warning : report.warnings) {
    text += "\n**Warning:** " + Escape(warning) + "\n";
  }
  std::vector<Block> blocks = report.blocks;
  if (!report.left_out.empty()) blocks.push_back(LeftBlock(report.left_out));
  for (const Block& block : blocks) {
    text += "\n### " + Escape(block.title) + "\n\n";
    if (!block.note.empty()) text += Escape(block.note) + "\n\n";
    text += MarkdownTable(block);
  }
  return text + "\n" + Escape(report.verdict) + "\n";
}

std::string ToJson(const Report& report) {
  using Json = nlohmann::ordered_json;
  Json json = {{"head", report.head}, {"warnings", report.warnings}};
  json["blocks"] = Json::array();
  for (const Block& block : report.blocks) {
    Json rows = Json::array();
    for (const auto& row : block.rows) {
      Json line = Json::object();
      for (std::size_t i = 0; i < row.size(); ++i) {
        Json& value = line[block.columns[i].id];
        if (const auto* text = std::get_if<std::string>(&row[i])) value = *text;
        if (const auto* figure = std::get_if<double>(&row[i])) value = *figure;
      }
      rows.push_back(std::move(line));
    }
    json["blocks"].push_back(
        {{"id", block.id}, {"title", block.title}, {"note", block.note}, {"rows", rows}});
  }
  json["left_out"] = Json::array();
  for (const Left& left : report.left_out) {
    json["left_out"].push_back(
        {{"run", left.run}, {"row", left.row}, {"status", left.status}, {"reason", left.reason}});
  }
  json["good"] = report.good;
  json["verdict"] = report.verdict;
  // A folder's name may be any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace rpcbench
