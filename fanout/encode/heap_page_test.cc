#include "fanout/encode/heap_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpcbench {
namespace {

using testing::EndsWith;
using testing::StartsWith;

std::string Rendered(const HeapPage& page) {
  std::string html;
  page.Render(html);
  return html;
}

std::vector<std::string> RowsOf(const std::string& html) {
  std::vector<std::string> rows;
  for (std::size_t at = html.find("<tr id="); at != std::string::npos;) {
    const std::size_t next = html.find("<tr id=", at + 1);
    rows.push_back(html.substr(at, next - at));
    at = next;
  }
  return rows;
}

TEST(HeapPageTest, IsOneEventOf57Kilobytes) {
  const std::string html = Rendered(HeapPage(1));
  EXPECT_NEAR(static_cast<double>(html.size()), 57'000, 400);
  EXPECT_THAT(html, StartsWith("data: <!doctype html>"));
  EXPECT_THAT(html, EndsWith("</html>\n\n"));
  EXPECT_EQ(html.find('\n'), html.size() - 2);
}

TEST(HeapPageTest, FiveRowsChangeFromOneFrameToTheNext) {
  HeapPage page(1);
  std::vector<std::string> before = RowsOf(Rendered(page));
  for (int frame = 1; frame < 50; ++frame) {
    page.Change();
    const std::vector<std::string> after = RowsOf(Rendered(page));
    ASSERT_EQ(after.size(), before.size());
    int changed = 0;
    for (std::size_t row = 0; row < after.size(); ++row) changed += after[row] != before[row];
    EXPECT_EQ(changed, 5) << "frame " << frame;
    before = after;
  }
}

TEST(HeapPageTest, TheSeedDecides) {
  HeapPage page(7);
  HeapPage same(7);
  HeapPage other(8);
  page.Change();
  same.Change();
  other.Change();
  EXPECT_EQ(Rendered(page), Rendered(same));
  EXPECT_NE(Rendered(page), Rendered(other));
}

TEST(HeapPageTest, RenderAppends) {
  std::string html = "before";
  HeapPage(1).Render(html);
  EXPECT_THAT(html, StartsWith("beforedata: "));
}

}  // namespace
}  // namespace rpcbench
