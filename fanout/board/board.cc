#include "fanout/board/board.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>
#include <random>
#include <string_view>

namespace rpcbench {
namespace {

// With counts of one to three digits 200 cards are then 140.4 to 140.8 KB, which is 137 to 138 KiB
// too.
constexpr std::size_t kCardBytes = 701;

constexpr std::array<std::string_view, 96> kWords = {
    "account",  "agenda",   "alert",    "answer",   "archive",  "battery",  "billing",   "branch",
    "budget",   "cable",    "calendar", "camera",   "campaign", "canvas",   "capacity",  "catalog",
    "change",   "channel",  "checkout", "client",   "cluster",  "colour",   "comment",   "contract",
    "corner",   "courier",  "customer", "database", "deadline", "delivery", "design",    "device",
    "document", "draft",    "driver",   "estimate", "event",    "export",   "factory",   "feature",
    "filter",   "font",     "forecast", "garden",   "gateway",  "handover", "harbour",   "holiday",
    "image",    "import",   "incident", "index",    "invoice",  "journal",  "kitchen",   "label",
    "ladder",   "language", "layout",   "letter",   "library",  "license",  "machine",   "manual",
    "market",   "meeting",  "message",  "meter",    "mirror",   "network",  "notebook",  "office",
    "order",    "outline",  "package",  "panel",    "parcel",   "payment",  "pencil",    "planner",
    "printer",  "product",  "project",  "quality",  "quarter",  "recipe",   "release",   "report",
    "review",   "schedule", "season",   "shipment", "supplier", "ticket",   "timetable", "window"};

constexpr std::array<std::string_view, 12> kTags = {"backend",  "blocked", "design",  "docs",
                                                    "frontend", "mobile",  "paused",  "ready",
                                                    "review",   "support", "testing", "urgent"};

constexpr std::array<std::string_view, 10> kPeople = {"Amira", "Bela",  "Chidi", "Dorte", "Emil",
                                                      "Farah", "Goran", "Hanna", "Ines",  "Jonas"};

// Draws do not go through a standard distribution, which differs from library to library.
class Draw final {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  std::size_t Below(std::size_t limit) { return engine_() % limit; }
  template <std::size_t kSize>
  std::string_view OneOf(const std::array<std::string_view, kSize>& words) {
    return words[Below(kSize)];
  }

 private:
  std::mt19937_64 engine_;
};

std::string Capital(std::string_view word) {
  std::string text(word);
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string Tags(Draw& draw) {
  std::string html = "<ul class=\"tags\">";
  const std::size_t first = draw.Below(kTags.size());
  const std::size_t many = 2 + draw.Below(3);
  for (std::size_t i = 0; i < many; ++i) {
    const std::string_view tag = kTags[(first + i * 5) % kTags.size()];  // 5 and 12: none twice
    html += fmt::format("<li class=\"tag tag-{0}\">{0}</li>", tag);
  }
  return html + "</ul>";
}

// Sentences, until `bytes` are reached.
std::string Words(Draw& draw, std::size_t bytes) {
  std::string text = Capital(draw.OneOf(kWords));
  for (std::size_t i = 1; text.size() + 1 < bytes; ++i) {
    const std::string_view word = draw.OneOf(kWords);
    if (i % 9 == 0)
      text += ". " + Capital(word);
    else
      text += (i % 9 == 5 ? ", " : " ") + std::string(word);
  }
  return text + ".";
}

// A card up to its count. `bytes`: of the card altogether, as near as words come to it.
std::string Opening(Draw& draw, int card, std::size_t bytes, std::size_t closing) {
  std::string html = fmt::format(
      "<article class=\"card\" data-card=\"{}\"><header><h2 class=\"title\">{} {} {}</h2>"
      "<span class=\"owner\">{}</span></header>",
      card, Capital(draw.OneOf(kWords)), draw.OneOf(kWords), draw.OneOf(kWords),
      draw.OneOf(kPeople));
  const std::string tags = Tags(draw);
  const std::string end = fmt::format(
      "</p>{}<footer><button type=\"button\" class=\"add\">Add one</button><b class=\"count\">",
      tags);
  const std::size_t used = html.size() + 3 + end.size() + closing;
  html += "<p>" + Words(draw, bytes > used ? bytes - used : 0);
  return html + end;
}

}  // namespace

Board::Board(std::uint64_t seed, int cards, std::int64_t shown_from)
    : counts_(static_cast<std::size_t>(cards)), shown_from_(shown_from) {
  constexpr std::string_view kClosing = "</b></footer></article>";
  Draw draw(seed);
  std::size_t written = 0;
  for (int card = 0; card < cards; ++card) {
    // What one card is longer than planned the next one is shorter, or the sum would drift.
    const std::size_t planned = kCardBytes * (static_cast<std::size_t>(card) + 1);
    std::string html = Opening(draw, card, planned - written, kClosing.size());
    written += html.size() + kClosing.size();
    fixed_bytes_ += html.size() + kClosing.size();
    if (card > 0) html.insert(0, kClosing);
    before_count_.push_back(std::move(html));
  }
  if (cards > 0) after_last_ = kClosing;
}

void Board::Render(std::string& out) const {
  constexpr std::size_t kDigits = 20;
  out.reserve(out.size() + fixed_bytes_ + kDigits * counts_.size());
  for (std::size_t card = 0; card < counts_.size(); ++card) {
    out += before_count_[card];
    char digits[kDigits];
    const auto end =
        std::to_chars(std::begin(digits), std::end(digits), shown_from_ + counts_[card]).ptr;
    out.append(digits, end);
  }
  out += after_last_;
}

}  // namespace rpcbench
