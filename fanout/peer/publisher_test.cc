#include "fanout/peer/publisher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "echo/error.h"
#include "fanout/load/event_reader.h"

namespace rpcbench {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(PublisherTest, AnEventSaysWhenAndWhichAndIsAsLongAsAsked) {
  const std::string data = EventData(123ns, 45, 1400);
  EXPECT_THAT(data, StartsWith("t=123 n=45 "));
  EXPECT_EQ(data.size(), 1400u);
  EXPECT_NE(EventData(123ns, 46, 1400).substr(20), data.substr(20));
  EXPECT_EQ(EventData(123ns, 45, 3), "t=123 n=45 ");
}

TEST(PublisherTest, TheReaderTakesItBack) {
  const Seen seen =
      EventReader(Codec::kIdentity).Read("data: " + EventData(123ns, 45, 100) + "\n\n");
  ASSERT_EQ(seen.events.size(), 1u);
  EXPECT_EQ(seen.events[0].sent_ns, 123);
  EXPECT_EQ(seen.events[0].number, 45u);
}

TEST(PublisherTest, NobodyThereIsAnErrorOfStop) {
  PublisherOptions options;
  options.server = {"127.0.0.1", 1};
  Publisher publisher(options);
  EXPECT_THAT([&] { publisher.Stop(); }, ThrowsMessage<Error>(HasSubstr("127.0.0.1:1")));
}

}  // namespace
}  // namespace rpcbench
