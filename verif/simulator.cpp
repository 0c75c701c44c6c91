// SPDX-License-Identifier: Apache-2.0
#include "verif/simulator.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "base/sha256.h"
#include "base/tools.h"
#include "verif/shim_texts.h"
#include "verif/tool_run.h"

namespace weft::verif {
namespace fs = std::filesystem;
namespace {

/// The oldest Verilator with the scheduler on which the engine was measured.
constexpr std::string_view oldest_verilator = "5.006";

/// -fno-dfg: the data-flow optimiser of 5.006 miscompiles vectors of which some bits depend on
/// others (see Simulator::probe). Registers start with random values (--x-initial unique): a
/// control register without reset is found out, and it costs nothing at run time. Loops in
/// clocked blocks stay loops (--unroll-stmts, which leaves generate loops alone): they compile in
/// constant time, and the compiler vectorises them, up to six times as fast.
const std::vector<std::string> verilate_flags = {
    "--cc",        "-O3",      "-fno-dfg",   "--x-assign",     "fast",
    "--x-initial", "unique",   "--noassert", "--unroll-stmts", "1",
    "--no-timing", "--prefix", "Vdut"};

/// Generated C++ is compiled as one file up to this many bytes, because parsing Verilator's headers
/// costs more than what two processors gain; and optimised less beyond the second limit, because
/// the time of -O3 grows faster than the file.
constexpr std::uintmax_t one_file_bytes = 4U << 20;
constexpr std::uintmax_t full_optimization_bytes = 12U << 20;

/// A correct module on which the data-flow optimiser of some versions goes wrong: z_o then keeps
/// its first value. It is a_i - 11 on 7 bits.
constexpr const char* probe_module = R"(// Full of warnings by intention.
// verilator lint_off WIDTH
// verilator lint_off UNUSEDSIGNAL
// verilator lint_off UNDRIVEN
// verilator lint_off UNOPTFLAT
module simulator_probe(input [3:0] a_i, output [6:0] z_o);
  wire [9:0] t, u;
  assign {t[9],t[6:0]} = $signed(a_i) + $signed(4'h3);
  assign t[8:7] = {t[9],t[9]};
  assign u[7:0] = $signed({t[9],t[6:0]}) - $signed(5'h0e);
  assign u[8] = u[9];
  assign z_o = u[6:0];
endmodule
)";

constexpr const char* probe_shim = R"(#include "Vdut.h"
extern "C" __attribute__((visibility("default"))) void probe(unsigned* z) {
  VerilatedContext context;
  Vdut model(&context);
  for (unsigned a = 0; a < 16; ++a) {
    model.a_i = a;
    model.eval();
    z[a] = model.z_o;
  }
}
)";

std::string value_of(const std::string& option, const char* variable) {
  if (!option.empty()) return option;
  const char* set = std::getenv(variable);
  return set != nullptr ? set : "";
}

std::string find_compiler(const BuildOptions& options) {
  if (const std::string named = value_of(options.compiler, "WEFT_CXX"); !named.empty()) {
    return base::find_tool(named).string();
  }
  if (const auto clang = base::find_executable("clang++")) return clang->string();
  return base::find_tool("g++").string();
}

/// What -march=native stands for on this machine.
std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(info, line) && !line.empty();) {
    if (line.starts_with("model name") || line.starts_with("flags")) text += line + "\n";
  }
  return base::sha256(text);
}

fs::path verilator_include(const std::string& verilator) {
  base::Command command;
  command.argv = {verilator, "--getenv", "VERILATOR_ROOT"};
  const base::ProcessResult result = base::run_process(command);
  base::check(result);
  std::string root = result.output_tail;
  root.erase(root.find_last_not_of(" \n\r\t") + 1);
  fs::path include = fs::path(root) / "include";
  if (!fs::exists(include / "verilated.cpp")) {
    throw ToolError(fmt::format("{}: its runtime library is missing: there is no {}", verilator,
                                (include / "verilated.cpp").string()));
  }
  return include;
}

std::string shim_digest() {
  std::string text = shim_runtime_text();
  for (const auto& header : shim_headers()) text += header.second;
  return base::sha256(text);
}

bool ends_with_slow(const fs::path& file) { return file.stem().string().ends_with("__Slow"); }

void write_including(const fs::path& file, const std::vector<fs::path>& parts) {
  std::string text;
  for (const fs::path& part : parts) {
    text += fmt::format("#include \"{}\"\n", part.filename().string());
  }
  base::write_file_atomic(file, text);
}

}  // namespace

Simulator::Simulator(const BuildOptions& options)
    : lint_(options.lint), trace_(options.trace), quick_(options.quick) {
  const std::string named = value_of(options.verilator, "WEFT_VERILATOR");
  const base::ToolVersion verilator =
      base::tool_version(named.empty() ? "verilator_bin" : named, oldest_verilator);
  verilator_ = verilator.path.string();
  compiler_ = find_compiler(options);
  include_ = verilator_include(verilator_);
  identity_ = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\ntrace {}\nquick {}\n", verilator.banner,
                          verilator_, base::tool_version(compiler_).banner, compiler_, processor(),
                          fmt::join(verilate_flags, " "), fmt::join(compile_command("-O3"), " "),
                          shim_digest(), trace_, quick_);
}

std::vector<std::string> Simulator::compile_command(const std::string& optimization) const {
  const char* trace = trace_ ? "1" : "0";
  return {compiler_,
          "-std=c++17",
          optimization,
          "-march=native",
          "-fPIC",
          "-fvisibility=hidden",
          "-fcf-protection=none",
          "-w",
          fmt::format("-DVM_TRACE={}", trace),
          fmt::format("-DVM_TRACE_FST={}", trace),
          "-DVM_TRACE_VCD=0",
          "-DVM_COVERAGE=0",
          "-DVM_SC=0",
          "-DVL_USER_FINISH",
          "-DVL_USER_STOP",
          "-DVL_USER_FATAL",
          "-isystem",
          include_.string(),
          "-isystem",
          (include_ / "vltstd").string()};
}

fs::path Simulator::runtime(const BuildCache& cache) const {
  const std::string digest = base::sha256("runtime\n" + identity_);
  const auto compile = [&](const fs::path& directory) {
    base::write_file_atomic(directory / "runtime.cpp", shim_runtime_text());
    std::vector<std::string> argv = compile_command("-O2");
    argv.insert(argv.end(), {"-c", "runtime.cpp", "-o", "runtime.o"});
    run_step({"compiling Verilator's runtime", argv, directory / "runtime.log"}, directory);
  };
  return cache.get(digest, "runtime.o", compile).file;
}

void Simulator::build(const DutDescription& dut, const std::string& shim, const BuildCache& cache,
                      const fs::path& directory) const {
  const fs::path runtime_object = runtime(cache);

  std::vector<std::string> verilate = {verilator_};
  verilate.insert(verilate.end(), verilate_flags.begin(), verilate_flags.end());
  verilate.emplace_back(lint_ ? "-Wall" : "-Wno-fatal");
  if (trace_) verilate.emplace_back("--trace-fst");
  verilate.insert(verilate.end(), {"--top-module", dut.top, "--Mdir", "cpp"});
  for (const auto& [name, value] : dut.parameters)
    verilate.push_back(fmt::format("-G{}={}", name, value));
  for (const VerilogFile& file : dut.files) {
    base::write_file_atomic(directory / file.name, file.text);
    verilate.push_back(file.name);
  }
  try {
    run_step({"verilating " + dut.top, verilate, directory / "verilator.log"}, directory);
  } catch (const StepRefused& refused) {
    throw DesignRefused(refused.what());
  }

  const fs::path cpp = directory / "cpp";
  if (!fs::is_directory(cpp)) {
    throw ToolError(fmt::format("{} says that it succeeded, but has written nothing\nits log: {}",
                                verilator_, (directory / "verilator.log").string()));
  }
  std::vector<fs::path> fast;
  std::vector<fs::path> slow;
  std::uintmax_t bytes = 0;
  for (const auto& file : fs::directory_iterator(cpp)) {
    if (file.path().extension() != ".cpp") continue;
    (ends_with_slow(file.path()) ? slow : fast).push_back(file.path());
    bytes += file.file_size();
  }
  std::sort(fast.begin(), fast.end());
  std::sort(slow.begin(), slow.end());
  for (const auto& [name, text] : shim_headers()) base::write_file_atomic(cpp / name, text);
  base::write_file_atomic(cpp / "shim.cpp", shim);

  // The shim is compiled together with the model's hot code, so that the loop can inline it.
  std::vector<fs::path> units = {cpp / "fast.cxx", cpp / "slow.cxx"};
  write_including(units[1], slow);
  if (bytes <= one_file_bytes) {
    fast.push_back(cpp / "shim.cpp");
    write_including(units[0], fast);
  } else {
    write_including(units[0], {cpp / "shim.cpp"});
    units.insert(units.end(), fast.begin(), fast.end());
  }
  const char* optimization = quick_ ? "-O0" : bytes <= full_optimization_bytes ? "-O3" : "-O1";

  std::vector<Step> steps;
  std::vector<std::string> link = {compiler_, "-shared", "-Wl,-z,defs", "-o", "../dut.so"};
  for (const fs::path& unit : units) {
    const std::string object = unit.stem().string() + ".o";
    const bool is_slow = unit == units[1];
    std::vector<std::string> argv = compile_command(is_slow ? "-O0" : optimization);
    argv.insert(argv.end(), {"-include", "plain_compare.h", "-x", "c++", "-c",
                             unit.filename().string(), "-o", object});
    steps.push_back({"compiling " + dut.top, argv, directory / (object + ".log")});
    link.push_back(object);
  }
  run_steps(steps, cpp);

  link.push_back(runtime_object.string());
  if (trace_) link.emplace_back("-lz");
  link.insert(link.end(), {"-pthread", "-latomic"});
  run_step({"linking " + dut.top, link, directory / "link.log"}, cpp);
}

void Simulator::probe(const BuildCache& cache) const {
  DutDescription module;
  module.top = "simulator_probe";
  module.files = {{"simulator_probe.v", probe_module}};
  cache.get(
      base::sha256(std::string(probe_module) + probe_shim + identity_), "passed",
      [&](const fs::path& directory) {
        build(module, probe_shim, cache, directory);
        void* library = dlopen((directory / "dut.so").c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
          throw ToolError(fmt::format("the simulator probe cannot be loaded: {}", dlerror()));
        std::array<unsigned, 16> got{};
        reinterpret_cast<void (*)(unsigned*)>(dlsym(library, "probe"))(got.data());
        for (int a = 0; a < 16; ++a) {
          const unsigned value = got[static_cast<std::size_t>(a)];
          const unsigned expected = static_cast<unsigned>((a < 8 ? a : a - 16) - 11) & 0x7F;
          if (value != expected) {
            throw ToolError(fmt::format(
                "{} simulates legal Verilog wrongly and cannot be used: for {} the probe ({}) must "
                "give {} and gives {}",
                verilator_, a, (directory / "simulator_probe.v").string(), expected, value));
          }
        }
        dlclose(library);
        base::write_file_atomic(directory / "passed", "");
      });
}

}  // namespace weft::verif
