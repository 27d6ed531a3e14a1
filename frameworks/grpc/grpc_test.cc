// What only gRPC can be asked: bad input at its own level. The common cases are the conformance
// test's.
#include <arpa/inet.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>
#include <vector>

#include "echo/schema/echo.grpc.pb.h"
#include "frameworks/grpc/rows.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using StartServer = std::unique_ptr<EchoServer> (*)(const ServerOptions&, HoldMeter&);

std::chrono::system_clock::time_point Soon() {
  return std::chrono::system_clock::now() + 30s;
}

// Both servers, spoken to by a plain gRPC client that is not the adapter's.
class GrpcServerTest : public testing::TestWithParam<std::pair<const char*, StartServer>> {
 protected:
  void Start(std::chrono::nanoseconds delay, DelaySource source = DelaySource::kLine) {
    ServerOptions options;
    options.delay = delay;
    options.delay_source = source;
    server_ = GetParam().second(options, meter_);
    channel_ =
        grpc::CreateChannel(ToString(server_->address()), grpc::InsecureChannelCredentials());
  }

  // Calls `method` with `request` as it is, waits, and returns the status.
  grpc::Status CallRaw(const std::string& method, const std::string& request) {
    grpc::GenericStub stub(channel_);
    grpc::CompletionQueue queue;
    grpc::ClientContext context;
    context.set_deadline(Soon());
    const grpc::Slice slice(request);
    const grpc::ByteBuffer sent(&slice, 1);
    grpc::ByteBuffer received;
    grpc::Status status;
    const auto call = stub.PrepareUnaryCall(&context, method, sent, &queue);
    call->StartCall();
    call->Finish(&received, &status, nullptr);
    void* tag = nullptr;
    bool ok = false;
    EXPECT_TRUE(queue.Next(&tag, &ok));
    queue.Shutdown();
    return status;
  }

  void ExpectEcho(const std::string& text) {
    const auto stub = Echo::NewStub(channel_);
    grpc::ClientContext context;
    context.set_deadline(Soon());
    proto::Record request;
    proto::Record reply;
    request.set_text(text);
    const grpc::Status status = stub->Echo(&context, request, &reply);
    EXPECT_TRUE(status.ok()) << status.error_message();
    EXPECT_EQ(reply.text(), text);
  }

  // Starts calls that the server holds, cancels them once it does, and waits until they end.
  void CancelHeldCalls(int calls) {
    const auto stub = Echo::NewStub(channel_);
    grpc::CompletionQueue queue;
    std::vector<grpc::ClientContext> contexts(static_cast<std::size_t>(calls));
    std::vector<proto::Record> replies(contexts.size());
    std::vector<grpc::Status> statuses(contexts.size());
    std::vector<std::unique_ptr<grpc::ClientAsyncResponseReader<proto::Record>>> readers;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      readers.push_back(stub->AsyncEcho(&contexts[i], {}, &queue));
      readers.back()->Finish(&replies[i], &statuses[i], nullptr);
    }
    const auto deadline = Soon();
    while (meter_.Report().peak_in_flight < calls && std::chrono::system_clock::now() < deadline) {
      std::this_thread::yield();
    }
    for (auto& context : contexts) context.TryCancel();
    void* tag = nullptr;
    bool ok = false;
    for (int i = 0; i < calls; ++i) ASSERT_TRUE(queue.Next(&tag, &ok));
    for (const auto& status : statuses) {
      EXPECT_EQ(status.error_code(), grpc::StatusCode::CANCELLED);
    }
    queue.Shutdown();
  }

  HoldMeter meter_;
  std::unique_ptr<EchoServer> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_P(GrpcServerTest, UnknownMethodIsUnimplemented) {
  Start(0ms);
  for (const char* method : {"/rpcbench.Echo/Shout", "/no.such.Service/Echo", "/"}) {
    EXPECT_EQ(CallRaw(method, "").error_code(), grpc::StatusCode::UNIMPLEMENTED) << method;
  }
  ExpectEcho("still here");
}

TEST_P(GrpcServerTest, MessageThatIsNoRecordFailsThatCallOnly) {
  Start(0ms);
  const grpc::Status status = CallRaw("/rpcbench.Echo/Echo", "\xff\xff\xff\xff garbage");
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.error_code(), grpc::StatusCode::DEADLINE_EXCEEDED);
  ExpectEcho("still here");
}

// Sends `bytes` on a connection of its own; true if the server closes it.
bool ServerCloses(std::uint16_t port, const std::string& bytes) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_port = htons(port);
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const timeval patience{.tv_sec = 30, .tv_usec = 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  bool closed = false;
  if (connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof name) == 0) {
    (void)!send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    char received[4096];
    ssize_t count = 0;
    while ((count = recv(fd, received, sizeof received, 0)) > 0) {
    }
    closed = count == 0 || errno == ECONNRESET;
  }
  close(fd);
  return closed;
}

TEST_P(GrpcServerTest, GarbageCloses) {
  Start(0ms);
  const std::string preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  const std::string settings("\0\0\0\4\0\0\0\0\0", 9);
  for (const std::string& bytes :
       {std::string("GET / HTTP/1.1\r\nHost: x\r\n\r\n"), std::string(100, '\xff'),
        preface + std::string(100, '\xff'), preface + settings + std::string(100, '\xff')}) {
    EXPECT_TRUE(ServerCloses(server_->address().port, bytes));
    ExpectEcho("still here");
  }
}

TEST_P(GrpcServerTest, CancelledWhileHeld) {
  for (const DelaySource source : {DelaySource::kLine, DelaySource::kNative}) {
    meter_.Reset();
    Start(50ms, source);
    CancelHeldCalls(20);
    ExpectEcho("after the cancelled ones were due");
    server_->Stop();
  }
}

TEST_P(GrpcServerTest, StopDropsWhatWasCancelledAndHeld) {
  for (const DelaySource source : {DelaySource::kLine, DelaySource::kNative}) {
    meter_.Reset();
    Start(10s, source);
    CancelHeldCalls(20);
    server_->Stop();
    EXPECT_EQ(meter_.Report().calls, 0u);
    meter_.Reset();
    EXPECT_EQ(meter_.Report().peak_in_flight, 0) << "a dropped call still counts as held";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Both, GrpcServerTest,
    testing::Values(std::pair<const char*, StartServer>("queue", StartGrpcQueueServer),
                    std::pair<const char*, StartServer>("callback", StartGrpcCallbackServer)),
    [](const auto& row) { return row.param.first; });

}  // namespace
}  // namespace rpcbench
