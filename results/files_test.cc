#include "results/files.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>

#include "results/scratch.h"

namespace rpcbench {
namespace {

using testing::HasSubstr;

std::ptrdiff_t EntriesOf(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

TEST(FilesTest, WritesMakesFoldersAndReplaces) {
  const Scratch scratch;
  const auto file = scratch / "a/b/c.txt";
  WriteFile(file, "first");
  WriteFile(file, std::string("sec\0nd", 6));
  EXPECT_EQ(ReadFile(file), std::string("sec\0nd", 6));
  EXPECT_EQ(EntriesOf(file.parent_path()), 1) << "a draft was left behind";
}

TEST(FilesTest, EmptyAndLargeFilesKeepEveryByte) {
  const Scratch scratch;
  const std::string large(1'000'000, 'x');
  WriteFile(scratch / "empty", "");
  WriteFile(scratch / "large", large);
  EXPECT_EQ(ReadFile(scratch / "empty"), "");
  EXPECT_EQ(ReadFile(scratch / "large"), large);
}

TEST(FilesTest, FailedWriteNamesTheFileAndLeavesNothing) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch / "taken/inside");
  EXPECT_THAT(ErrorOf([&] { WriteFile(scratch / "taken", "x"); }),
              HasSubstr((scratch / "taken").string()));
  EXPECT_EQ(EntriesOf(scratch.path()), 1) << "a draft was left behind";
  WriteFile(scratch / "plain", "before");
  EXPECT_THAT(ErrorOf([&] { WriteFile(scratch / "plain/x", "x"); }), HasSubstr("plain/x"));
  EXPECT_EQ(ReadFile(scratch / "plain"), "before");
}

TEST(FilesTest, ReadingWhatIsNoFileIsAnError) {
  const Scratch scratch;
  EXPECT_THAT(ErrorOf([&] { ReadFile(scratch / "none"); }), HasSubstr("none: No such file"));
  EXPECT_THAT(ErrorOf([&] { ReadFile(scratch.path()); }),
              HasSubstr(scratch.path().string() + ": not a plain file"));
}

}  // namespace
}  // namespace rpcbench
