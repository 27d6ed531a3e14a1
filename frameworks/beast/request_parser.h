// The facts of an HTTP request by which the server accepts or refuses it.
#pragma once

#include "frameworks/beast/http_answers.h"
#include "frameworks/beast/http_parsers.h"

namespace rpcbench {

inline constexpr std::string_view kEchoPath = "/rpcbench.Echo/Echo";

class RequestParser final : public MessageParser<true> {
 public:
  using MessageParser::MessageParser;

  // Why this request cannot be served, or null. Its body is not looked at.
  const Refusal* Refuse() const {
    if (unknown_transfer_coding_) return &kBadTransferCoding;
    if (version_ == 11 && !has_host_) return &kNoHost;
    if (other_expectation_) return &kBadExpectation;
    if (!echo_path_) return &kNoSuchMethod;
    if (method_ != boost::beast::http::verb::post) return &kNotPost;
    if (encoded_) return &kBadEncoding;
    if (media_type() != MediaType::kProto && media_type() != MediaType::kJson) {
      return &kBadMediaType;
    }
    return bad_protocol_version_ ? &kBadProtocolVersion : nullptr;
  }

  bool head() const { return method_ == boost::beast::http::verb::head; }
  // The client holds its body back until it hears 100 (Continue).
  bool expects_continue() const { return expects_continue_ && version_ == 11; }
  // What follows a body of unknown framing cannot be told from it.
  bool reusable() const { return keep_alive() && !unknown_transfer_coding_; }
  Persistence persistence() const {
    if (!reusable()) return Persistence::kClose;
    return version_ == 11 ? Persistence::kDefault : Persistence::kKeepAlive;
  }

 private:
  using field = boost::beast::http::field;

  void on_request_impl(boost::beast::http::verb method, Text, Text target, int version,
                       ErrorCode&) override {
    method_ = method;
    version_ = version;
    if (target.starts_with("http://")) {  // absolute form, as a proxy's client sends it
      target.remove_prefix(7);
      target.remove_prefix(std::min(target.find('/'), target.size()));
    }
    echo_path_ = View(target.substr(0, target.find('?'))) == kEchoPath;
  }

  void on_field_impl(field name, Text text, Text value, ErrorCode& error) override {
    using boost::beast::iequals;
    switch (name) {
      case field::host:
        has_host_ = true;
        break;
      case field::expect:
        if (iequals(value, "100-continue"))
          expects_continue_ = true;
        else
          other_expectation_ = true;
        break;
      case field::content_encoding:
        encoded_ = !iequals(value, "identity");
        break;
      case field::transfer_encoding:
        unknown_transfer_coding_ = !iequals(value, "chunked");
        break;
      case field::unknown:
        if (iequals(text, "Connect-Protocol-Version")) bad_protocol_version_ = value != "1";
        break;
      default:
        MessageParser::on_field_impl(name, text, value, error);
    }
  }

  boost::beast::http::verb method_ = boost::beast::http::verb::unknown;
  int version_ = 11;
  bool echo_path_ = false;
  bool has_host_ = false;
  bool expects_continue_ = false;
  bool other_expectation_ = false;
  bool encoded_ = false;
  bool unknown_transfer_coding_ = false;
  bool bad_protocol_version_ = false;
};

}  // namespace rpcbench
