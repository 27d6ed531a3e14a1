#include "fanout/encode/watcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

constexpr std::uint64_t kRows = 40;
constexpr std::string_view kHello = "event: hello\n";
constexpr std::string_view kId = "id: ";

}  // namespace

std::string BoardEvent(std::uint64_t number) {
  std::string event = fmt::format("id: {}\ndata: <table>", number);
  for (std::uint64_t row = 0; row < kRows; ++row) {
    // Each event changes two of forty rows, to values that do not come again soon.
    const std::uint64_t value = (2 * number + row) / kRows * 2654435761 % 1000003;
    event += fmt::format("<tr id=r{}><td>card {}</td><td>{}</td></tr>", row, row * row, value);
  }
  return event + "</table>\n\n";
}

std::string HelloEvent(std::string_view client) {
  return fmt::format("{}data: {}\n\n", kHello, client);
}

Watcher::Watcher(std::unique_ptr<Source> source, Codec codec, std::uint64_t newest,
                 bool expects_hello)
    : codec_(codec),
      source_(std::move(source)),
      decoder_(MakeDecoder(TokenOf(codec))),
      owed_from_(std::max<std::uint64_t>(newest, 1)),
      expects_hello_(expects_hello) {}

bool Watcher::Take() {
  if (busy()) {
    return false;
  }
  chunk_ = source_->Next();
  if (busy()) {
    Receive(*chunk_);
  }
  return busy();
}

void Watcher::Finish() {
  if (busy()) {
    sent_ += chunk_->events();
    chunk_ = nullptr;
    source_->Sent();
  }
}

void Watcher::CatchUp() {
  Finish();
  while (Take()) {
    Finish();
  }
}

void Watcher::Beat() {
  Receive(*source_->Heartbeat());
}

void Watcher::Lose() {
  if (!busy() && source_->Next() != nullptr) {
    source_->Sent();
  }
}

std::uint64_t Watcher::Pending(std::uint64_t newest) const {
  return newest + 1 - std::max(owed_from_, last_ + 1) + (busy() ? chunk_->events() : 0);
}

void Watcher::Receive(const Chunk& chunk) {
  wire_ += chunk.body();
  if (!fault_.empty()) {
    return;
  }
  std::string text;
  try {
    decoder_->Decode(chunk.body(), text);
  } catch (const Error& error) {
    fault_ = fmt::format("after event {}: {}", last_, error.what());
    return;
  }
  text_ += text;
  const std::uint64_t before = events_;
  std::string_view rest = text;
  while (!rest.empty() && fault_.empty()) {
    const std::size_t end = rest.find("\n\n");
    if (end == std::string_view::npos) {
      fault_ = fmt::format("after event {}: a torn event", last_);
      return;
    }
    Judge(rest.substr(0, end + 2));
    rest.remove_prefix(end + 2);
  }
  if (fault_.empty() && events_ - before != chunk.events()) {
    fault_ = fmt::format("a chunk of {} events said {}", events_ - before, chunk.events());
  }
}

void Watcher::Judge(std::string_view event) {
  if (event == ":\n\n") {
    return;
  }
  ++events_;
  if (event.substr(0, kHello.size()) == kHello) {
    if (!expects_hello_ || events_ != 1) {
      fault_ = "a hello that is not the first event, or not for this stream";
    }
    hello_ = event;
    return;
  }
  std::uint64_t number = 0;
  for (const char c : event.substr(std::min(kId.size(), event.size()))) {
    if (c < '0' || c > '9') {
      break;
    }
    number = 10 * number + static_cast<std::uint64_t>(c - '0');
  }
  if (number <= last_) {
    fault_ = fmt::format("event {} after event {}", number, last_);
  } else if (event != BoardEvent(number)) {
    fault_ = fmt::format("event {} is not as it was published", number);
  }
  first_ = first_ == 0 ? number : first_;
  last_ = number;
}

}  // namespace rpcbench
