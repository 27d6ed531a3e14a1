// For tests: an encoder that a few streams share, and what each of them would be sent.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fanout/encode/encoder.h"

namespace rpcbench {

inline std::string EventText(int id, const std::string& data) {
  return "id: " + std::to_string(id) + "\ndata: " + data + "\n\n";
}

// The data of event `id` where a test does not care: a page of which a line changes.
inline std::string PageText(int id) {
  std::string page;
  for (int line = 0; line < 40; ++line) {
    page += "<li>card " + std::to_string(line) + ": " + std::to_string(line == id % 40 ? id : 0);
  }
  return page;
}

class ScriptedCohort final {
 public:
  explicit ScriptedCohort(Codec codec) : encoder_(MakeEncoder(DefaultEncoder(codec))) {}

  // The chunk that every member is sent.
  std::string Publish(int id) { return Publish(id, PageText(id)); }
  std::string Publish(int id, const std::string& data) {
    std::string chunk;
    encoder_->Encode(EventText(id, data), chunk);
    log_ += chunk;
    return chunk;
  }

  // What a joiner is sent: all chunks so far in one.
  const std::string& log() const { return log_; }

 private:
  std::unique_ptr<Encoder> encoder_;
  std::string log_;
};

}  // namespace rpcbench
