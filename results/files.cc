#include "results/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "echo/error.h"

namespace rpcbench {
namespace {

[[noreturn]] void Fail(const char* what, const std::filesystem::path& file, int error) {
  throw Error(fmt::format("{} {}: {}", what, file.string(), std::strerror(error)));
}

class Descriptor final {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  // What close says, which on some file systems is the first word of a full disk.
  bool Close() { return close(std::exchange(fd_, -1)) == 0; }

 private:
  int fd_;
};

// A file beside its destination that is gone unless it was renamed.
class Draft final {
 public:
  explicit Draft(std::filesystem::path path) : path_(std::move(path)) {}
  ~Draft() {
    if (!renamed_) unlink(path_.c_str());
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  bool Rename(const std::filesystem::path& file) {
    renamed_ = rename(path_.c_str(), file.c_str()) == 0;
    return renamed_;
  }

 private:
  std::filesystem::path path_;
  bool renamed_ = false;
};

bool WriteAll(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void WriteFile(const std::filesystem::path& file, std::string_view text) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) Fail("cannot make the folder of", file, error.value());

  // The process id keeps two programs that write the same file out of each other's draft.
  const std::filesystem::path draft_path =
      folder / fmt::format(".{}.{}", file.filename().string(), getpid());
  Descriptor fd(open(draft_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (fd.get() < 0) Fail("cannot write", file, errno);
  Draft draft(draft_path);
  if (!WriteAll(fd.get(), text) || fsync(fd.get()) != 0 || !fd.Close()) {
    Fail("cannot write", file, errno);
  }
  if (!draft.Rename(file)) Fail("cannot replace", file, errno);

  // The rename itself is durable once its folder is; some file systems cannot sync a folder, and
  // the file is whole without it.
  const Descriptor folder_fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder_fd.get() >= 0) fsync(folder_fd.get());
}

void CheckWritable(const std::filesystem::path& file) {
  const std::filesystem::path probe = file.string() + ".probe";
  WriteFile(probe, "");
  std::error_code ignored;
  std::filesystem::remove(probe, ignored);
}

std::string ReadFile(const std::filesystem::path& file) {
  const Descriptor fd(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) Fail("cannot read", file, errno);
  struct stat status {};
  if (fstat(fd.get(), &status) != 0) Fail("cannot read", file, errno);
  if (!S_ISREG(status.st_mode)) throw Error("cannot read " + file.string() + ": not a plain file");
  std::string text;
  char buffer[64 * 1024];
  while (true) {
    const ssize_t got = read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) Fail("cannot read", file, errno);
    if (got == 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace rpcbench
