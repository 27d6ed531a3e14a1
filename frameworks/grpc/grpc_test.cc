// What only gRPC can be asked: bad input at its own level. The common cases are the conformance
// test's.
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <map>
#include <mutex>

#include "echo/schema/echo.grpc.pb.h"
#include "frameworks/codec/protobuf_codec.h"
#include "frameworks/grpc/rows.h"
#include "measure/sockets.h"

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
