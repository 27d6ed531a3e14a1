#include "server/target.h"

#include <charconv>

#include "echo/error.h"

namespace rpcbench {
namespace {

class InProcess final : public Target {
 public:
  InProcess(const Framework& framework, const TargetOptions& options)
      : meter_(framework, options.server, true) {}

  Address address() const override { return meter_.address(); }
  void Mark(Count count) override { meter_.Mark(count); }
  std::optional<ServerReport> Report() override { return meter_.Report(); }
  void CheckAlive() override {}

 private:
  ServerMeter meter_;
};

class Attached final : public Target {
 public:
  explicit Attached(Address address) : address_(std::move(address)) {}

  Address address() const override { return address_; }
  void Mark(Count) override {}
  std::optional<ServerReport> Report() override { return std::nullopt; }
  void CheckAlive() override {}

 private:
  const Address address_;
};

}  // namespace

std::unique_ptr<Target> StartInProcess(const Framework& framework, const TargetOptions& options) {
  return std::make_unique<InProcess>(framework, options);
}

std::unique_ptr<Target> AttachTo(const Address& address) {
  return std::make_unique<Attached>(address);
}

Address ParseAddress(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  Address address;
  if (colon != std::string::npos) {
    address.host = text.substr(0, colon);
    const char* const end = text.data() + text.size();
    const auto result = std::from_chars(text.data() + colon + 1, end, address.port);
    if (result.ec == std::errc{} && result.ptr == end && !address.host.empty()) return address;
  }
  throw Error("address \"" + text +
              "\": give HOST:PORT with an IP address and a port of 0 to 65535");
}

}  // namespace rpcbench
