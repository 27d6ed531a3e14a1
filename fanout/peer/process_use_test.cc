#include "fanout/peer/process_use.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "echo/error.h"
#include "measure/resources.h"
#include "process/child.h"

namespace rpcbench {
namespace {

using testing::Contains;
using testing::IsEmpty;

TEST(ProcessUseTest, OwnUseIsWhatTheKernelSaysOfThisProcess) {
  volatile double work = 1;
  while (UsageNow().user < std::chrono::milliseconds(50)) {
    for (int i = 0; i < 100'000; ++i) work = work * 1.0000001;
  }
  const ProcessUse use = UseOf(getpid());
  EXPECT_GE(use.user, std::chrono::milliseconds(30)) << "but for a tick or two";
  EXPECT_GT(use.rss_kb, 1000);
}

TEST(ProcessUseTest, ChildrenAreFound) {
  EXPECT_THAT(ChildrenOf(getpid()), IsEmpty());
  Child child("/bin/cat", {});
  EXPECT_THAT(ChildrenOf(getpid()), Contains(child.pid()));
  EXPECT_EQ(CpusOf(child.pid()), AllowedCpus());
}

TEST(ProcessUseTest, NobodyIsAnError) {
  EXPECT_THROW(UseOf(-1), Error);
  EXPECT_THAT(CpusOf(-1), IsEmpty());
}

}  // namespace
}  // namespace rpcbench
