// SPDX-License-Identifier: Apache-2.0
#include "synth/compose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/sha256.h"
#include "synth/block_wrapper.h"
#include "synth/composition_plan.h"
#include "synth/composition_report.h"
#include "synth/composition_script.h"
#include "synth/composition_tree.h"
#include "synth/jobs.h"
#include "synth/macro_liberty.h"
#include "synth/memory_library.h"
#include "synth/scripts.h"
#include "synth/survey_run.h"
#include "synth/workspace.h"

namespace weft::synth {
namespace {

std::string words_of(const BlockKey& key) {
  std::string text = key.module;
  for (const auto& [name, value] : key.parameters) text += fmt::format(" {}={}", name, value);
  return text;
}

/// A short name that tells blocks apart, for files and cells.
std::string tag_of(const BlockKey& key) {
  return fmt::format("{}_{}", key.module, base::sha256(words_of(key)).substr(0, 8));
}

/// The clock input of a run: the first that Yosys found at a register.
std::string clock_of(const Result& result) {
  const auto path = result.directory / files::clocks;
  const std::string text = base::read_file(path);
  const auto slash = text.find('/');
  if (slash == std::string::npos) return "";
  return text.substr(slash + 1, text.find('\n', slash) - slash - 1);
}

double delay_between(const Result& result, const std::string& from, const std::string& to) {
  const auto arc = std::ranges::find_if(
      result.arcs, [&](const Arc& known) { return known.from == from && known.to == to; });
  return arc == result.arcs.end() ? 0 : arc->delay_ns;
}

/// The paths of a block from those of its smallest and biggest sample. An input that reaches more
/// gates is buffered in a tree, whose depth grows with the logarithm of their number; what lies
/// between registers does not grow.
std::vector<Arc> extended_arcs(const Result& smallest, const Result& biggest, double cells) {
  const auto low = static_cast<double>(smallest.cells);
  const auto high = static_cast<double>(biggest.cells);
  const double levels =
      high > low && low > 0 && cells > high ? std::log(cells / high) / std::log(high / low) : 0;
  std::vector<Arc> arcs = biggest.arcs;
  for (Arc& arc : arcs) {
    const double before = delay_between(smallest, arc.from, arc.to);
    if (arc.from.empty()) {
      arc.delay_ns = std::max(arc.delay_ns, before);
    } else if (before > 0) {
      arc.delay_ns += levels * std::max(0.0, arc.delay_ns - before);
    }
  }
  return arcs;
}

/// What synthesis of a block, or of its samples, found.
struct Measured {
  Block block;
  Result biggest;                         ///< the run itself, or that of the biggest sample
  Macro macro;                            ///< stands for it in what holds it
  double area_um2 = 0;                    ///< without what its context makes of it
  std::map<std::string, double> weights;  ///< shares of the runs, by directory, in that area
  std::map<std::string, double> macros;   ///< black boxes in it
};

class Composer {
 public:
  Composer(const Request& request, const Hierarchy& hierarchy, const CompositionOptions& options)
      : request_(request),
        hierarchy_(hierarchy),
        options_(options),
        target_(load_target(request.target, request.target_options)),
        plan_(hierarchy, options.largest_sample) {}

  Composition run() {
    survey();
    choose_memories();
    gates_ = gates();
    plan_.cut(gates_, options_.together_gates);
    blocks_ = plan_.blocks();
    if (blocks_.size() == 1 && memories_.empty()) return at_once();
    synthesise();
    return compose();
  }

  /// What repeats it: run.sh of the composed design.
  [[nodiscard]] std::string script() const { return composition_script(runs_, memory_area_); }

 private:
  void say(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    if (request_.progress) request_.progress(text);
  }

  // ---- what the design consists of

  void survey() {
    say("looking at its modules (yosys)");
    Survey survey = survey_modules(request_, hierarchy_, plan_.visible(), plan_.apart());
    contents_ = std::move(survey.contents);
    count(survey.cpu_seconds, survey.peak_rss_mib, survey.cached);
  }

  void choose_memories() {
    std::vector<LibraryMemory> library;
    for (const auto& path : options_.macro_libraries)
      for (LibraryMemory& memory : read_memory_library(path)) library.push_back(std::move(memory));
    if (options_.memories == Memories::registers) return;
    const std::int64_t least = options_.memories == Memories::model ? 1 : macro_bits;
    for (const auto& [key, contents] : contents_) {
      for (const auto& [shape, number] : contents.memories) {
        if (shape.bits() < least || memories_.contains(shape)) continue;
        const auto fitting = fit_memory(shape, library);
        const MemoryCost cost = fitting ? *fitting : model_memory(shape, target_);
        const auto cell =
            fmt::format("weft_memory_{}x{}_{}r{}w{}", shape.words, shape.width, shape.read_ports,
                        shape.write_ports, shape.clocked_reads == 0 ? "" : "_clocked");
        memories_[shape] = {shape, 0, cost};
        memory_macros_[shape] = memory_macro(shape, cell, cost);
      }
    }
  }

  /// What each block that Yosys saw holds by itself.
  [[nodiscard]] std::map<BlockKey, double> gates() const {
    constexpr double per_bit = 10;  // a flip-flop, its enable, and its share of the multiplexers
    std::map<BlockKey, double> result;
    for (const auto& [key, contents] : contents_) {
      result[key] = contents.gates;
      for (const auto& [shape, number] : contents.memories) {
        if (!memories_.contains(shape))
          result[key] += per_bit * static_cast<double>(number * shape.bits());
      }
    }
    return result;
  }

  // ---- synthesis

  /// All of it is one block: nothing to compose.
  Composition at_once() {
    Composition composition;
    composition.at_once = true;
    Result& result = composition.result;
    result = synth::run(request_);
    const BlockKey key = CompositionPlan::key_of(hierarchy_.top);
    Block block;
    block.key = key;
    block.instances = 1;
    block.area_um2 = result.area_um2;
    block.cells = static_cast<double>(result.cells);
    block.registers = static_cast<double>(result.registers);
    block.own_path_ns = result.critical_path_ns;
    block.directory = ".";
    composition.blocks.push_back(block);
    composition.tree = composition_tree(
        hierarchy_.top, {plan_, contents_, gates_, {{key, result.area_um2}}, memories_});
    return composition;
  }

  /// The file that holds the wrapper of a block, for all its sizes.
  [[nodiscard]] std::filesystem::path wrapper_of(const Instance& block) const {
    return request_.output_directory / files::blocks / (wrapper_name(block.module) + ".v");
  }

  void write_wrappers() const {
    base::make_directories(request_.output_directory / files::blocks);
    for (const Instance* const block : blocks_) {
      if (block == &hierarchy_.top) continue;
      base::write_file_atomic(
          wrapper_of(*block),
          wrapper_verilog(*block, hierarchy_.modules.at(block->module).interface));
    }
  }

  struct Job {
    const Instance* block;
    Sizes parameters;
    bool with_spared;  ///< two of each block that CompositionPlan::spared gives are not replaced
    Result result;
  };

  void synthesise() {
    write_wrappers();
    std::map<BlockKey, int> level;
    int levels = 0;
    for (const Instance* const block : blocks_) {
      int& own = level[CompositionPlan::key_of(*block)];
      for (const auto& [key, found] : plan_.held(*block)) own = std::max(own, level[key] + 1);
      levels = std::max(levels, own + 1);
    }
    for (int i = 0; i < levels; ++i) {
      std::vector<Job> jobs;
      for (const Instance* const block : blocks_) {
        if (level[CompositionPlan::key_of(*block)] != i) continue;
        const Extension extension = plan_.extension(*block);
        for (const Sizes& sizes : extension.samples()) add_job(jobs, {block, sizes, false, {}});
        if (has_held_out(extension)) add_job(jobs, {block, extension.held_out(), false, {}});
        if (!plan_.spared(*block).empty()) add_job(jobs, {block, block->parameters, true, {}});
      }
      std::ranges::stable_sort(jobs, std::greater<>(), size_of);
      run_jobs(jobs.size(), options_.jobs, [&](std::size_t j) { synthesise(jobs[j]); });
      for (const Instance* const block : blocks_) {
        if (level[CompositionPlan::key_of(*block)] == i) measure(*block, jobs);
      }
      for (const Job& job : jobs) {
        if (std::ranges::find(runs_, directory_of(job), &BlockRun::directory) == runs_.end())
          runs_.push_back({directory_of(job), 0});
        digests_ += job.result.digest;
        for (const std::string& warning : job.result.warnings)
          warnings_[warning].insert(job.block->module);
      }
    }
  }

  /// Blocks of one module at different sizes may have samples in common.
  static void add_job(std::vector<Job>& jobs, Job job) {
    const auto same = [&](const Job& other) { return directory_of(other) == directory_of(job); };
    if (std::ranges::none_of(jobs, same)) jobs.push_back(std::move(job));
  }

  static bool has_held_out(const Extension& extension) {
    return extension.needed() && std::ranges::find(extension.samples(), extension.held_out()) ==
                                     extension.samples().end();
  }

  /// Rough, to start the longest jobs first.
  static double size_of(const Job& job) {
    double size = 1;
    if (job.with_spared) size *= 2;
    for (const auto& [name, value] : job.parameters)
      size *= static_cast<double>(std::max<std::int64_t>(1, value));
    return size;
  }

  void synthesise(Job& job) {
    const BlockKey key{job.block->module, job.parameters};
    say(fmt::format("synthesising {}", words_of(key)));
    Request request = request_;
    std::set<std::string> modules = plan_.together(*job.block);
    const bool is_top = job.block == &hierarchy_.top;
    request.top = is_top ? job.block->module : wrapper_name(job.block->module);
    request.parameters.clear();
    if (!is_top)  // which has them by default
      for (const auto& [name, value] : job.parameters)
        request.parameters[name] = std::to_string(value);
    request.output_directory = request_.output_directory / directory_of(job);
    request.by_module = false;
    request.arcs = !is_top;
    request.macs = 0;
    request.progress = nullptr;
    for (const auto& [held, found] : plan_.held(*job.block))
      request.macros.push_back(measured_.at(held).macro);
    if (job.with_spared) {
      for (const Instance* const spared : plan_.spared(*job.block)) {
        const auto of_block = [&](const Macro& macro) { return macro.module == spared->module; };
        Macro& macro = *std::ranges::find_if(request.macros, of_block);
        macro.spared = spared->first;
        macro.interface = verilog_interface(macro.cell, spared->ports);
        modules.merge(plan_.together(*spared));
        for (const auto& [held, found] : plan_.held(*spared)) add_macro(request.macros, held);
      }
    }
    request.verilog = files_of(request_.verilog, modules);
    if (!is_top) request.verilog.push_back(wrapper_of(*job.block));
    if (!plan_.extension(*job.block).needed()) add_memories(modules, request.macros);
    try {
      job.result = synth::run(request);
    } catch (const ToolError& error) {
      throw ToolError(fmt::format("block {}: {}", words_of(key), error.what()));
    }
    count(job.result.cpu_seconds, job.result.peak_rss_mib, job.result.cached);
  }

  /// Of its run, relative to the output directory.
  static std::string directory_of(const Job& job) {
    return fmt::format("{}/{}{}", files::blocks, tag_of({job.block->module, job.parameters}),
                       job.with_spared ? "_in_context" : "");
  }

  void add_macro(std::vector<Macro>& macros, const BlockKey& key) const {
    const Macro& macro = measured_.at(key).macro;
    if (std::ranges::find(macros, macro.cell, &Macro::cell) == macros.end())
      macros.push_back(macro);
  }

  /// The memories that are modelled within these modules.
  void add_memories(const std::set<std::string>& modules, std::vector<Macro>& macros) const {
    std::set<MemoryShape> shapes;
    for (const auto& [key, contents] : contents_) {
      if (!modules.contains(key.module)) continue;
      for (const auto& [shape, number] : contents.memories)
        if (memory_macros_.contains(shape)) shapes.insert(shape);
    }
    for (const MemoryShape& shape : shapes) macros.push_back(memory_macros_.at(shape));
  }

  void count(double cpu_seconds, double peak_mib, bool cached) {
    const std::scoped_lock lock(mutex_);
    cpu_seconds_ += cpu_seconds;
    peak_rss_mib_ = std::max(peak_rss_mib_, peak_mib);
    cached_ = cached_ && cached;
  }

  void measure(const Instance& instance, const std::vector<Job>& jobs) {
    const BlockKey key = CompositionPlan::key_of(instance);
    const Extension extension = plan_.extension(instance);
    const auto result_at = [&](const Sizes& sizes) -> const Result& {
      return std::ranges::find_if(jobs,
                                  [&](const Job& job) {
                                    return job.block->module == instance.module &&
                                           job.parameters == sizes && !job.with_spared;
                                  })
          ->result;
    };
    std::vector<const Result*> samples;
    for (const Sizes& sizes : extension.samples()) samples.push_back(&result_at(sizes));
    const auto at = [&](const Sizes& sizes, auto figure) {
      std::vector<double> figures;
      for (const Result* const sample : samples)
        figures.push_back(static_cast<double>(figure(*sample)));
      return extension.at(sizes, figures);
    };
    const auto area = [](const Result& r) { return r.area_um2; };
    Measured measured;
    Block& block = measured.block;
    block.key = key;
    block.area_um2 = at(key.parameters, area);
    block.cells = at(key.parameters, [](const Result& r) { return r.cells; });
    block.registers = at(key.parameters, [](const Result& r) { return r.registers; });
    measured.area_um2 = block.area_um2;
    const auto weights = extension.weights(key.parameters);
    for (std::size_t i = 0; i < samples.size(); ++i)
      measured.weights[directory_of({&instance, extension.samples()[i], false, {}})] = weights[i];
    measured.biggest = *samples.back();
    for (const auto& [cell, number] : measured.biggest.macros)
      measured.macros[cell] = static_cast<double>(number);
    block.directory =
        fmt::format("{}/{}", files::blocks, measured.biggest.directory.filename().string());
    if (extension.needed()) block.extended_from = extension.describe();
    if (has_held_out(extension)) {
      const double real = result_at(extension.held_out()).area_um2;
      block.held_out = (at(extension.held_out(), area) - real) / real;
    }
    // A block with a part of what it holds has the paths between them as they are.
    for (const Job& job : jobs) {
      if (!job.with_spared || job.block->module != key.module || job.parameters != key.parameters)
        continue;
      see_context(instance, job.result, measured.biggest);
      measured.biggest.critical_path_ns = job.result.critical_path_ns;
      measured.biggest.path = job.result.path;
      measured.biggest.spared_path_ns = job.result.spared_path_ns;
      measured.biggest.arcs = job.result.arcs;
      block.directory += "_in_context";
    }
    const auto arcs = extended_arcs(*samples.front(), measured.biggest, block.cells);
    block.own_path_ns = measured.biggest.critical_path_ns;
    const ModuleFacts& facts = hierarchy_.modules.at(instance.module);
    const std::string cell = "weft_" + tag_of(key);
    measured.macro = {cell,
                      instance.module,
                      instance.parameters,
                      facts.defaults,
                      facts.interface,
                      liberty_cell(cell, instance.ports, clock_of(measured.biggest), arcs,
                                   transition_ns_, target_.load_ff),
                      {}};
    measured_[key] = std::move(measured);
  }

  /// What the spared blocks add to `holder` is what they take there; all of their instances are
  /// taken to be like them. Two of each, since one alone is too noisy a sample.
  void see_context(const Instance& holder, const Result& with, const Result& without) {
    double area = 0;
    double cells = 0;
    for (const Instance* const spared : plan_.spared(holder)) {
      const Block& block = measured_.at(CompositionPlan::key_of(*spared)).block;
      area += static_cast<double>(spared->first.size()) * block.area_um2;
      cells += static_cast<double>(spared->first.size()) * block.cells;
    }
    const double factor = (with.area_um2 - without.area_um2) / area;
    const double cell_factor =
        (static_cast<double>(with.cells) - static_cast<double>(without.cells)) / cells;
    for (const Instance* const spared : plan_.spared(holder)) {
      Block& block = measured_.at(CompositionPlan::key_of(*spared)).block;
      if (block.context) continue;
      block.context = factor - 1;
      block.area_um2 *= factor;
      block.cells *= cell_factor;
    }
  }

  // ---- composition

  Composition compose() {
    count_instances();
    Composition composition;
    Result& result = composition.result;
    result = measured_.at(CompositionPlan::key_of(hierarchy_.top)).biggest;
    result.by_cell.clear();
    result.arcs.clear();
    result.macros.clear();
    result.parameters.clear();
    result.abc_delay_ns = 0;  // each run has its own
    result.scripts = {files::run_script};
    result.digest = base::sha256(digests_);
    result.directory = request_.output_directory;
    result.cpu_seconds = cpu_seconds_;
    result.peak_rss_mib = peak_rss_mib_;
    result.cached = cached_;
    take_middle(result);
    add_up(composition);
    result.slack_ns = result.clock_ns - result.critical_path_ns;
    result.fmax_mhz = result.critical_path_ns > 0 ? 1000 / result.critical_path_ns : 0;
    result.macs = request_.macs;
    result.area_per_mac_um2 =
        request_.macs == 0 ? 0 : result.area_um2 / static_cast<double>(request_.macs);
    std::map<BlockKey, double> areas;
    for (const auto& [key, measured] : measured_) areas[key] = measured.block.area_um2;
    composition.tree =
        composition_tree(hierarchy_.top, {plan_, contents_, gates_, std::move(areas), memories_});
    add_modules(composition.tree, result.by_module);
    gather_warnings(composition);
    return composition;
  }

  void add_up(Composition& composition) {
    Result& result = composition.result;
    result.area_um2 = 0;
    double cells = 0;
    double registers = 0;
    for (const Instance* const instance : blocks_) {
      const Measured& measured = measured_.at(CompositionPlan::key_of(*instance));
      const auto times = static_cast<double>(measured.block.instances);
      result.area_um2 += times * measured.block.area_um2;
      cells += times * measured.block.cells;
      registers += times * measured.block.registers;
      composition.blocks.push_back(measured.block);
      if (instance != &hierarchy_.top) note_path(measured, result);
      if (measured.area_um2 <= 0) continue;
      for (BlockRun& run : runs_) {
        const auto weight = measured.weights.find(run.directory);
        if (weight != measured.weights.end())
          run.weight += times * weight->second * measured.block.area_um2 / measured.area_um2;
      }
    }
    for (const auto& [shape, use] : memories_) {
      if (use.instances == 0) continue;
      memory_area_ += static_cast<double>(use.instances) * use.cost.area_um2;
      composition.memories.push_back(use);
    }
    result.area_um2 += memory_area_;
    result.cells = static_cast<std::uint64_t>(std::llround(cells));
    result.registers = static_cast<std::uint64_t>(std::llround(registers));
  }

  /// Those of all blocks, each once, with the modules where it is not all of them.
  void gather_warnings(Composition& composition) const {
    std::vector<std::string>& warnings = composition.result.warnings;
    std::set<std::string> all;
    for (const Instance* const block : blocks_) all.insert(block->module);
    warnings.clear();
    for (const auto& [warning, modules] : warnings_)
      warnings.push_back(modules == all ? warning
                                        : fmt::format("{}: {}", fmt::join(modules, ", "), warning));
    for (const MemoryUse& use : composition.memories)
      if (!use.cost.note.empty()) warnings.push_back(use.cost.note);
  }

  /// From the top down, by what the netlists hold: what does nothing is not there.
  void count_instances() {
    measured_.at(CompositionPlan::key_of(hierarchy_.top)).block.instances = 1;
    for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
      const Measured& measured = measured_.at(CompositionPlan::key_of(**block));
      const auto in_netlist = [&](const std::string& cell) {
        const auto found = measured.macros.find(cell);
        return found == measured.macros.end()
                   ? std::int64_t{0}
                   : measured.block.instances *
                         static_cast<std::int64_t>(std::llround(found->second));
      };
      for (const auto& [key, found] : plan_.held(**block))
        measured_.at(key).block.instances += in_netlist(measured_.at(key).macro.cell);
      for (auto& [shape, use] : memories_)
        use.instances += in_netlist(memory_macros_.at(shape).cell);
    }
  }

  /// Paths through black boxes are too long, since their logic does not know which inputs come
  /// late; those through the spared instances alone too short, since it is known that only theirs
  /// are late. The middle is taken.
  static void take_middle(Result& result) {
    if (!result.spared_path_ns) return;
    result.longest_path_ns = result.critical_path_ns;
    result.critical_path_ns = (result.critical_path_ns + *result.spared_path_ns) / 2;
  }

  /// The longest path of all is in the top with the blocks as black boxes, or between the registers
  /// of one block.
  void note_path(const Measured& measured, Result& result) const {
    if (measured.block.own_path_ns <= result.critical_path_ns) return;
    result.critical_path_ns = measured.block.own_path_ns;
    result.longest_path_ns.reset();
    result.spared_path_ns.reset();
    result.path = measured.biggest.path;
    const std::string prefix = path_to(hierarchy_.top, measured.block.key) + ".";
    result.path.start = prefix + unwrapped(result.path.start);
    result.path.end = prefix + unwrapped(result.path.end);
  }

  /// The name of the first instance of a block, below `instance`.
  static std::string path_to(const Instance& instance, const BlockKey& key) {
    for (const Instance& child : instance.children) {
      if (CompositionPlan::key_of(child) == key) return child.name;
      if (const auto below = path_to(child, key); !below.empty())
        return fmt::format("{}.{}", child.name, below);
    }
    return "";
  }

  const Request& request_;
  const Hierarchy& hierarchy_;
  CompositionOptions options_;
  Target target_;
  double transition_ns_ = gate_delay_ns(target_);
  CompositionPlan plan_;
  std::map<BlockKey, Contents> contents_;
  std::map<BlockKey, double> gates_;
  std::map<MemoryShape, MemoryUse> memories_;
  std::map<MemoryShape, Macro> memory_macros_;
  std::vector<const Instance*> blocks_;
  std::map<BlockKey, Measured> measured_;
  std::vector<BlockRun> runs_;
  std::map<std::string, std::set<std::string>> warnings_;  ///< with the modules that have them
  std::string digests_;                                    ///< of all runs
  double memory_area_ = 0;
  std::mutex mutex_;
  double cpu_seconds_ = 0;
  double peak_rss_mib_ = 0;
  bool cached_ = true;
};

}  // namespace

Composition compose(const Request& request, const Hierarchy& hierarchy,
                    const CompositionOptions& options) {
  // What fits is synthesised in this very folder.
  Request holding = request;
  holding.held_directory =
      hold_folder(request.output_directory, request.held_directory, request.progress);
  Workspace workspace(request.output_directory, holding.held_directory);
  try {
    Composer composer(holding, hierarchy, options);
    Composition composition = composer.run();
    if (!composition.at_once) {
      composition.result.directory = workspace.directory();
      workspace.write(files::run_script, composer.script());
      workspace.write(files::report, to_json(composition).dump(2) + "\n");
    }
    workspace.keep();
    return composition;
  } catch (const base::Interrupted&) {
    workspace.discard();
    throw;
  }
}

}  // namespace weft::synth
