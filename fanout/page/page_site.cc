#include "fanout/page/page_site.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "fanout/page/counted_source.h"
#include "fanout/sse/negotiate.h"

namespace rpcbench {
namespace {

constexpr std::size_t kMaxCommand = 1024;  // bytes of a body; a command has about a dozen

HttpResponse Text(int status, std::string text) {
  HttpResponse response;
  response.status = status;
  response.body = std::move(text) + "\n";
  response.headers = {{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}};
  return response;
}

HttpResponse Json(const nlohmann::json& json) {
  HttpResponse response = Text(200, json.dump());
  response.type = "application/json";
  return response;
}

HttpResponse OnlyBy(const char* methods) {
  HttpResponse response = Text(405, fmt::format("only {} here", methods));
  response.headers.emplace_back("Allow", methods);
  return response;
}

// The page takes nothing from elsewhere, and nobody may frame it.
HttpResponse Serve(const PageFile& file) {
  HttpResponse response;
  response.type = file.type;
  response.body = file.body;
  response.headers = {
      {"Content-Security-Policy",
       "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
       "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
      {"Cache-Control", "no-cache"},
      {"X-Content-Type-Options", "nosniff"},
      {"Referrer-Policy", "no-referrer"}};
  return response;
}

std::optional<Codec> CodecFor(const HttpRequest& request) {
  if (!request.has_accept_encoding) return Negotiate(std::nullopt);
  return Negotiate(request.accept_encoding);
}

HttpResponse WhoAmI(const HttpRequest& request) {
  const auto codec = CodecFor(request);
  return Json(
      {{"accept_encoding",
        request.has_accept_encoding ? nlohmann::json(request.accept_encoding) : nlohmann::json()},
       {"coding", codec ? nlohmann::json(TokenOf(*codec)) : nlohmann::json()}});
}

bool IsJson(std::string_view type) {
  constexpr std::string_view kJson = "application/json";
  return type.substr(0, kJson.size()) == kJson &&
         (type.size() == kJson.size() || type[kJson.size()] == ';' || type[kJson.size()] == ' ');
}

// The card that a body names, or why it is refused.
struct ReadCommand {
  Command command;
  std::optional<HttpResponse> refusal;
};

ReadCommand Read(const HttpRequest& request, int cards) {
  // Another site's form can send text, but not this type without asking first.
  if (!IsJson(request.content_type)) return {{}, Text(415, "send application/json")};
  if (request.body.size() > kMaxCommand) {
    return {{}, Text(413, fmt::format("a command has at most {} bytes", kMaxCommand))};
  }
  const auto json = nlohmann::json::parse(request.body, nullptr, false);
  const std::string form = fmt::format("send {{\"card\": N}} with N from 0 to {}", cards - 1);
  if (!json.is_object()) return {{}, Text(400, "not a JSON object: " + form)};
  const auto card = json.find("card");
  if (json.size() != 1 || card == json.end() || !card->is_number_integer()) {
    return {{}, Text(400, "not a command: " + form)};
  }
  const bool known =
      card->is_number_unsigned() && card->get<std::uint64_t>() < static_cast<std::uint64_t>(cards);
  if (!known) return {{}, Text(400, fmt::format("there is no card {}: {}", card->dump(), form))};
  return {Command{card->get<int>()}, std::nullopt};
}

}  // namespace

PageSite::PageSite(Topic& topic, PageRoutes routes) : topic_(topic), routes_(std::move(routes)) {
  for (const PageFile& file : PageFiles()) files_.emplace(file.path, file);
}

std::optional<StreamOffer> PageSite::Open(const HttpRequest& request) {
  if (request.path != "/events") return std::nullopt;
  const auto codec = CodecFor(request);
  if (!codec) return std::nullopt;  // Handle says why
  // Whatever the Last-Event-ID: each event is the whole newest state, so nothing was missed that
  // the first one does not bring.
  const bool shared = request.Parameter("cohort") != "0";
  auto source = topic_.Join(*codec, shared);
  return StreamOffer{*codec,
                     std::make_unique<CountedSource>(std::move(source), streams_.Of(*codec)),
                     group_, !shared};
}

void PageSite::Handle(const HttpRequest& request, std::function<void(HttpResponse)> respond) {
  if (request.path == "/command" && request.method == "POST")
    TakeCommand(request, std::move(respond));
  else
    respond(Answer(request));
}

HttpResponse PageSite::Answer(const HttpRequest& request) {
  const bool gets = request.method == "GET" || request.method == "HEAD";
  if (request.path == "/command") return OnlyBy("POST");
  if (request.path == "/admin/merge" && routes_.merge) {
    if (request.method != "POST") return OnlyBy("POST");
    routes_.merge();
    return Text(200, "with the next event");
  }
  const auto file = files_.find(request.path);
  const bool known = file != files_.end() || request.path == "/events" ||
                     request.path == "/whoami" || request.path == "/healthz";
  if (!known) return Text(404, "there is nothing here");
  if (!gets) return OnlyBy("GET, HEAD");
  if (file != files_.end()) return Serve(file->second);
  if (request.path == "/whoami") return WhoAmI(request);
  if (request.path == "/healthz") return Text(200, "ok");
  return Text(406, "there are zstd, br and identity, and Accept-Encoding refuses them all");
}

void PageSite::TakeCommand(const HttpRequest& request, std::function<void(HttpResponse)> respond) {
  auto read = Read(request, routes_.cards);
  if (read.refusal) return respond(std::move(*read.refusal));
  const int card = read.command.card;
  routes_.submit(
      read.command, [card, respond = std::move(respond)](const Status& status, std::int64_t count) {
        if (status.ok())
          respond(Json({{"card", card}, {"count", count}}));
        else
          respond(Text(500, fmt::format("{}: {}", ToString(status.code), status.message)));
      });
}

}  // namespace rpcbench
