// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <regex>
#include <sstream>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/tools.h"

namespace weft::base {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t tail_limit = 16384;

/// A file descriptor that closes itself.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

struct Pipe {
  Fd read_end;
  Fd write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw ToolError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  return {Fd(ends[0]), Fd(ends[1])};
}

/// Everything the child needs, prepared before the fork: after it only async-signal-safe calls are
/// allowed, since other threads may have held any lock.
struct Prepared {
  std::string path;
  std::vector<std::string> environment;
  std::vector<char*> argv;
  std::vector<char*> envp;
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  result.reserve(strings.size() + 1);
  for (const auto& s : strings) result.push_back(const_cast<char*>(s.c_str()));
  result.push_back(nullptr);
  return result;
}

Prepared prepare(const Command& command, const std::filesystem::path& executable) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals != std::string_view::npos)
      variables[std::string(text.substr(0, equals))] = text.substr(equals + 1);
  }
  for (const auto& [name, value] : command.environment) variables[name] = value;

  Prepared prepared;
  prepared.path = executable.string();
  for (const auto& [name, value] : variables)
    prepared.environment.push_back(fmt::format("{}={}", name, value));
  prepared.argv = pointers(command.argv);
  prepared.envp = pointers(prepared.environment);
  return prepared;
}

[[noreturn]] void child_main(const Command& command, const Prepared& prepared, int null_input,
                             int output, int error_report, pid_t parent) {
  ::setpgid(0, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // If weft is killed outright, at least its direct child goes with it.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);

  bool ready = ::dup2(null_input, STDIN_FILENO) >= 0 && ::dup2(output, STDOUT_FILENO) >= 0 &&
               ::dup2(output, STDERR_FILENO) >= 0;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (ready && command.memory_limit_bytes > 0) {
    const rlimit memory{command.memory_limit_bytes, command.memory_limit_bytes};
    ready = ::setrlimit(RLIMIT_AS, &memory) == 0;
  }
  if (ready && !command.directory.empty()) ready = ::chdir(command.directory.c_str()) == 0;
  if (ready) ::execve(prepared.path.c_str(), prepared.argv.data(), prepared.envp.data());

  const int reason = errno;
  [[maybe_unused]] const auto written = ::write(error_report, &reason, sizeof reason);
  ::_exit(127);
}

/// Writes all bytes; 0 or the errno.
int write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const auto written = ::write(fd, data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

/// Takes what the tool prints: to the log, and its end to the tail.
class OutputSink {
 public:
  OutputSink(int pipe, int log, std::string& tail) : pipe_(pipe), log_(log), tail_(tail) {
    ::fcntl(pipe_, F_SETFL, O_NONBLOCK);
  }

  /// Takes all that is there now. Returns 0 or the errno of a failed write to the log.
  int drain() {
    std::array<char, 65536> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (;;) {
      const auto size = ::read(pipe_, buffer.data(), buffer.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) {
        open_ = size < 0;
        return 0;
      }
      tail_.append(buffer.data(), static_cast<std::size_t>(size));
      if (tail_.size() > 2 * tail_limit) trim();
      if (log_ >= 0)
        if (const int error = write_all(log_, buffer.data(), static_cast<std::size_t>(size)))
          return error;
    }
  }
  void trim() {
    if (tail_.size() > tail_limit) tail_.erase(0, tail_.size() - tail_limit);
  }
  [[nodiscard]] bool open() const { return open_; }

 private:
  int pipe_;
  int log_;
  std::string& tail_;
  bool open_ = true;
};

/// Milliseconds to wait before looking again whether weft was interrupted: a signal wakes only the
/// thread that it was delivered to.
int patience(const std::optional<Clock::time_point>& deadline) {
  constexpr std::int64_t slice = 100;
  if (!deadline) return slice;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, slice));
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// Why weft has to end a tool.
struct Verdict {
  ProcessEnd end;
  int code = 0;
};

/// Waits until the tool has exited, weft was interrupted, or (the verdict) the tool has to be
/// ended.
std::optional<Verdict> wait_for(int pidfd, OutputSink& sink, int output_pipe,
                                const std::optional<Clock::time_point>& deadline) {
  while (interrupt_signal() == 0) {
    std::array<pollfd, 2> watched{
        {{pidfd, POLLIN, 0}, {sink.open() ? output_pipe : -1, POLLIN, 0}}};
    const int count = ::poll(watched.data(), watched.size(), patience(deadline));
    if (count < 0) continue;  // EINTR
    if (watched[1].revents != 0)
      if (const int error = sink.drain()) return Verdict{ProcessEnd::log_failed, error};
    if (watched[0].revents != 0) return {};
    if (deadline && Clock::now() >= *deadline) return Verdict{ProcessEnd::timed_out};
  }
  return {};
}

std::string last_lines(const std::string& text, int count) {
  std::size_t begin = text.find_last_not_of(" \t\r\n");
  const std::size_t end = begin == std::string::npos ? 0 : begin + 1;
  begin = end;
  while (begin > 0 && (text[begin - 1] != '\n' || --count > 0)) --begin;
  std::string result;
  std::istringstream lines(text.substr(begin, end - begin));
  for (std::string line; std::getline(lines, line);) result += "\n  " + line;
  return result;
}

std::string mebibytes(std::uint64_t bytes) { return fmt::format("{} MiB", bytes >> 20); }

bool looks_like_out_of_memory(const std::string& output) {
  static const std::regex pattern(
      "bad_alloc|out of memory|cannot allocate memory|memory exhausted|failed to allocate",
      std::regex::icase);
  return std::regex_search(output, pattern);
}

}  // namespace

ProcessResult run_process(const Command& command) {
  ProcessResult result;
  result.tool = command.argv.at(0);
  result.log = command.log;
  result.timeout = command.timeout;
  result.memory_limit_bytes = command.memory_limit_bytes;

  const auto executable = find_executable(result.tool);
  if (!executable) {
    result.end = ProcessEnd::not_started;
    result.code = ENOENT;
    return result;
  }
  Fd log;
  if (!command.log.empty()) {
    log = Fd(::open(command.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!log) {
      result.end = ProcessEnd::log_failed;
      result.code = errno;
      return result;
    }
  }

  const auto start = Clock::now();
  const Prepared prepared = prepare(command, *executable);
  const Fd null_input(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  Pipe output = make_pipe();
  Pipe report = make_pipe();
  const pid_t self = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) {
    result.end = ProcessEnd::not_started;
    result.code = errno;
    return result;
  }
  if (pid == 0)
    child_main(command, prepared, null_input.get(), output.write_end.get(), report.write_end.get(),
               self);
  ::setpgid(pid, pid);  // whichever of the two processes comes first
  output.write_end.reset();
  report.write_end.reset();

  int start_error = 0;
  while (::read(report.read_end.get(), &start_error, sizeof start_error) < 0 && errno == EINTR) {
  }

  std::optional<Clock::time_point> deadline;
  if (command.timeout.count() > 0) deadline = start + command.timeout;
  OutputSink sink(output.read_end.get(), log.get(), result.output_tail);
  const Fd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  std::optional<Verdict> verdict;
  if (pidfd)
    verdict = wait_for(pidfd.get(), sink, output.read_end.get(), deadline);
  else
    verdict = Verdict{ProcessEnd::not_started, errno};

  // The leader is alive or a zombie, so the group's number can't have been given to others.
  ::kill(-pid, SIGKILL);
  int status = 0;
  rusage usage{};
  while (::wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  check_interrupt();
  if (const int error = sink.drain(); error != 0 && !verdict)
    verdict = Verdict{ProcessEnd::log_failed, error};
  sink.trim();

  result.wall_seconds = std::chrono::duration<double>(Clock::now() - start).count();
  result.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  result.peak_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  if (start_error != 0) {
    result.end = ProcessEnd::not_started;
    result.code = start_error;
  } else if (verdict) {
    result.end = verdict->end;
    result.code = verdict->code;
  } else if (WIFSIGNALED(status)) {
    result.end = ProcessEnd::signalled;
    result.code = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
  }
  return result;
}

void check(const ProcessResult& result) {
  if (result.ok()) return;
  const std::string log =
      result.log.empty() ? "" : fmt::format("\nits log: {}", result.log.string());
  const std::string output = last_lines(result.output_tail, 12);
  const std::string end_of_log = output.empty() ? log : log + "\nit ended with:" + output;
  const std::string used = mebibytes(result.peak_rss_bytes);
  const std::string limit =
      result.memory_limit_bytes == 0 ? "" : ", limit " + mebibytes(result.memory_limit_bytes);

  switch (result.end) {
    case ProcessEnd::not_started:
      if (result.code == ENOENT && !find_executable(result.tool))
        throw ToolError(not_installed(result.tool));
      throw ToolError(
          fmt::format("{} cannot be started: {}", result.tool, std::strerror(result.code)));
    case ProcessEnd::log_failed:
      throw ToolError(fmt::format("{} was stopped: its log {} cannot be written: {}", result.tool,
                                  result.log.string(), std::strerror(result.code)));
    case ProcessEnd::timed_out:
      throw ToolError(fmt::format("{} was stopped: it ran longer than {:g} s{}", result.tool,
                                  std::chrono::duration<double>(result.timeout).count(),
                                  end_of_log));
    case ProcessEnd::signalled:
      if (result.code == SIGKILL)
        throw ToolError(fmt::format("{} was killed, probably out of memory: peak {}{}{}",
                                    result.tool, used, limit, end_of_log));
      [[fallthrough]];
    case ProcessEnd::exited:
      if (looks_like_out_of_memory(result.output_tail))
        throw ToolError(
            fmt::format("{} ran out of memory: peak {}{}{}", result.tool, used, limit, end_of_log));
      if (result.end == ProcessEnd::signalled)
        throw ToolError(fmt::format("{} was ended by signal {} ({}){}", result.tool, result.code,
                                    ::strsignal(result.code), end_of_log));
      throw ToolError(
          fmt::format("{} failed with exit status {}{}", result.tool, result.code, end_of_log));
  }
}

}  // namespace weft::base
