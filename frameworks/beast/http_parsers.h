// What the HTTP rows read of a message: Beast's basic_parser with handlers that keep a few facts,
// where http::parser would fill a container with an allocation for every header field.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rpcbench {

inline std::string_view View(boost::beast::string_view text) {
  return {text.data(), text.size()};
}

enum class MediaType : std::uint8_t { kNone, kProto, kJson, kOther };

// The media type of a Content-Type field, whatever its parameters.
inline MediaType MediaTypeOf(boost::beast::string_view value) {
  const auto type = value.substr(0, value.find_first_of("; \t"));
  if (boost::beast::iequals(type, "application/proto")) return MediaType::kProto;
  if (boost::beast::iequals(type, "application/json")) return MediaType::kJson;
  return MediaType::kOther;
}

// One message; made anew for each. A body that came in one piece is a view of the caller's buffer.
template <bool isRequest>
class MessageParser : public boost::beast::http::basic_parser<isRequest> {
 public:
  using Base = boost::beast::http::basic_parser<isRequest>;
  using ErrorCode = boost::beast::error_code;
  using Text = boost::beast::string_view;

  // `scratch` collects a body that comes in several pieces.
  MessageParser(std::size_t header_limit, std::size_t body_limit, std::string& scratch)
      : header_limit_(header_limit), scratch_(scratch) {
    this->header_limit(static_cast<std::uint32_t>(header_limit));
    this->body_limit(body_limit);
    this->eager(true);
    scratch_.clear();
  }

  // Reads from `bytes` and returns how many it took; more may be needed without an error. The sum
  // of a header's pieces is counted here: Beast applies its limit to each piece anew.
  std::size_t Feed(std::string_view bytes, ErrorCode& error) {
    const bool in_header = !this->is_header_done();
    const std::size_t taken = this->put(boost::asio::buffer(bytes.data(), bytes.size()), error);
    if (error == boost::beast::http::error::need_more) error = {};
    if (!error && in_header && !this->is_header_done()) {
      header_bytes_ += taken;
      if (header_bytes_ + bytes.size() - taken > header_limit_) {
        error = boost::beast::http::error::header_limit;
      }
    }
    if (!this->is_done()) Collect();
    return taken;
  }

  MediaType media_type() const { return media_type_; }
  std::string_view body() const { return scratch_.empty() ? piece_ : std::string_view(scratch_); }

 protected:
  void on_request_impl(boost::beast::http::verb, Text, Text, int, ErrorCode&) override {}
  void on_response_impl(int, Text, int, ErrorCode&) override {}
  void on_field_impl(boost::beast::http::field name, Text, Text value, ErrorCode&) override {
    if (name == boost::beast::http::field::content_type) media_type_ = MediaTypeOf(value);
  }
  void on_header_impl(ErrorCode&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, ErrorCode&) override {}
  std::size_t on_body_impl(Text body, ErrorCode&) override { return Take(View(body)); }
  void on_chunk_header_impl(std::uint64_t, Text, ErrorCode&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, Text body, ErrorCode&) override {
    return Take(View(body));
  }
  void on_finish_impl(ErrorCode&) override {}

 private:
  std::size_t Take(std::string_view piece) {
    Collect();
    if (scratch_.empty())
      piece_ = piece;
    else
      scratch_.append(piece);
    return piece.size();
  }

  // The buffer behind a view is reused from one Feed to the next.
  void Collect() {
    scratch_.append(piece_);
    piece_ = {};
  }

  const std::size_t header_limit_;
  std::size_t header_bytes_ = 0;
  std::string& scratch_;
  std::string_view piece_;
  MediaType media_type_ = MediaType::kNone;
};

}  // namespace rpcbench
