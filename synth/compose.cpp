// SPDX-License-Identifier: Apache-2.0
#include "synth/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/error.h"
#include "base/files.h"
#include "base/process.h"
#include "base/sha256.h"
#include "synth/cache.h"
#include "synth/composition_plan.h"
#include "synth/flow.h"
#include "synth/jobs.h"
#include "synth/macro_liberty.h"
#include "synth/scripts.h"
#include "synth/workspace.h"
#include "synth/yosys.h"

namespace weft::synth {
namespace {

constexpr const char* survey_script = "survey.ys";
constexpr const char* survey_log = "survey.log";
constexpr const char* survey_statistics = "survey.json";
constexpr const char* survey_memories = "survey.txt";

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
  Result biggest;                        ///< the run itself, or that of the biggest sample
  Macro macro;                           ///< stands for it in what holds it
  std::map<std::string, double> macros;  ///< black boxes in it
};

class Composer {
 public:
  Composer(const Request& request, const Hierarchy& hierarchy, const CompositionOptions& options)
      : request_(request),
        lock_(hold_folder(request.output_directory, request.held_directory, request.progress)),
        hierarchy_(hierarchy),
        options_(options),
        target_(load_target(request.target, request.target_options)),
        plan_(hierarchy) {}

  Composition run() {
    survey();
    choose_memories();
    plan_.cut(gates(), options_.together_gates);
    blocks_ = plan_.blocks();
    synthesise();
    return compose();
  }

 private:
  void say(const std::string& text) {
    const std::scoped_lock lock(mutex_);
    if (request_.progress) request_.progress(text);
  }

  // ---- what the design consists of

  [[nodiscard]] std::vector<std::filesystem::path> files_of(
      const std::set<std::string>& modules) const {
    std::vector<std::filesystem::path> result;
    for (const auto& path : request_.verilog)
      if (modules.contains(path.stem().string())) result.push_back(path);
    return result;
  }

  void survey() {
    say("looking at its modules (yosys)");
    const auto keys = plan_.visible();
    std::set<std::string> modules;
    for (const BlockKey& key : keys) modules.insert(key.module);
    Workspace workspace(request_.output_directory / "survey");
    std::string script;
    const auto sources = read_sources(files_of(modules));
    for (const Source& source : sources) {
      workspace.write(source.name, source.content);
      script += fmt::format("read_verilog -defer {}\n", source.name);
    }
    std::string interfaces;
    for (const std::string& module : plan_.apart())
      interfaces += hierarchy_.modules.at(module).interface;
    if (!interfaces.empty()) {
      workspace.write(files::macro_verilog, interfaces);
      script += fmt::format("read_verilog -lib {}\n", files::macro_verilog);
    }
    script += fmt::format("hierarchy -check -top {}\n", hierarchy_.top.module) +
              survey_commands(survey_statistics, survey_memories);
    workspace.write(survey_script, script);
    const Yosys yosys = find_yosys(request_.yosys);
    std::string key = script + interfaces + yosys.banner;
    for (const Source& source : sources) key += base::sha256(source.content);
    key = base::sha256(key);
    const Cache cache(request_.cache_directory);
    auto files = cache.find(key);
    if (!files) {
      call_survey(yosys, workspace);
      files.emplace();
      for (const char* const name : {survey_log, survey_statistics, survey_memories})
        (*files)[name] = workspace.read(name);
      try {
        cache.store(key, *files);
      } catch (const UserError&) {  // as for the blocks: costs time later; their results say so
      }
    }
    contents_ = read_survey(keys, files->at(survey_log), files->at(survey_statistics),
                            files->at(survey_memories));
  }

  void call_survey(const Yosys& yosys, const Workspace& workspace) {
    base::Command command;
    command.argv = {yosys.command, survey_script};
    command.directory = workspace.directory();
    command.environment = {{"TMPDIR", workspace.temporary().string()}};
    command.log = workspace.path(survey_log);
    command.timeout = request_.timeout;
    command.memory_limit_bytes = request_.memory_limit_bytes;
    const auto process = base::run_process(command);
    count(process.cpu_seconds, static_cast<double>(process.peak_rss_bytes) / (1 << 20));
    base::check(process);
  }

  void choose_memories() {
    if (options_.memories == Memories::registers) return;
    const std::int64_t least = options_.memories == Memories::model ? 1 : modelled_bits;
    for (const auto& [key, contents] : contents_) {
      for (const auto& [shape, number] : contents.memories) {
        if (shape.bits() < least || memories_.contains(shape)) continue;
        const auto model = model_memory(shape, target_);
        const auto cell =
            fmt::format("weft_memory_{}x{}_{}r{}w{}", shape.words, shape.width, shape.read_ports,
                        shape.write_ports, shape.clocked_reads == 0 ? "" : "_clocked");
        memories_[shape] = {shape, 0, model};
        memory_macros_[shape] = memory_macro(shape, cell, model);
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

  struct Job {
    const Instance* block;
    Sizes parameters;
    bool with_spared;  ///< two of each block that CompositionPlan::spared gives are not replaced
    Result result;
  };

  void synthesise() {
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
        for (const Sizes& sizes : extension.samples()) jobs.push_back({block, sizes, false, {}});
        if (has_held_out(extension)) jobs.push_back({block, extension.held_out(), false, {}});
        if (!plan_.spared(*block).empty()) jobs.push_back({block, block->parameters, true, {}});
      }
      std::ranges::stable_sort(jobs, std::greater<>(), size_of);
      run_jobs(jobs.size(), options_.jobs, [&](std::size_t j) { synthesise(jobs[j]); });
      for (const Instance* const block : blocks_) {
        if (level[CompositionPlan::key_of(*block)] == i) measure(*block, jobs);
      }
    }
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
    request.top = job.block->module;
    request.parameters.clear();
    // The top has its parameters by default; so, if nothing is apart, it is what run() would do.
    const bool is_top = job.block == &hierarchy_.top;
    if (!is_top)
      for (const auto& [name, value] : job.parameters)
        request.parameters[name] = std::to_string(value);
    request.output_directory = request_.output_directory / "blocks" /
                               (tag_of(key) + (job.with_spared ? "_in_context" : ""));
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
    request.verilog = files_of(modules);
    if (!plan_.extension(*job.block).needed()) add_memories(modules, request.macros);
    try {
      job.result = synth::run(request);
    } catch (const ToolError& error) {
      throw ToolError(fmt::format("block {}: {}", words_of(key), error.what()));
    }
    if (!job.result.cached) count(job.result.cpu_seconds, job.result.peak_rss_mib);
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

  void count(double cpu_seconds, double peak_mib) {
    const std::scoped_lock lock(mutex_);
    cpu_seconds_ += cpu_seconds;
    peak_rss_mib_ = std::max(peak_rss_mib_, peak_mib);
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
    measured.biggest = *samples.back();
    for (const auto& [cell, number] : measured.biggest.macros)
      measured.macros[cell] = static_cast<double>(number);
    block.directory = fmt::format("blocks/{}", measured.biggest.directory.filename().string());
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
    const BlockKey top_key = CompositionPlan::key_of(hierarchy_.top);
    Result& result = composition.result;
    result = measured_.at(top_key).biggest;
    result.by_cell.clear();
    result.arcs.clear();
    result.macros.clear();
    result.parameters.clear();
    result.scripts.clear();
    result.directory = request_.output_directory;
    result.cpu_seconds = cpu_seconds_;
    result.peak_rss_mib = peak_rss_mib_;
    result.cached = cpu_seconds_ == 0;
    take_middle(result);
    double area = 0;
    double cells = 0;
    double registers = 0;
    for (const Instance* const instance : blocks_) {
      const Measured& measured = measured_.at(CompositionPlan::key_of(*instance));
      const auto times = static_cast<double>(measured.block.instances);
      area += times * measured.block.area_um2;
      cells += times * measured.block.cells;
      registers += times * measured.block.registers;
      composition.blocks.push_back(measured.block);
      if (instance != &hierarchy_.top) note_path(measured, result);
    }
    for (auto& [shape, use] : memories_) {
      if (use.instances == 0) continue;
      area += static_cast<double>(use.instances) * use.model.area_um2;
      composition.memories.push_back(use);
    }
    result.area_um2 = area;
    result.cells = static_cast<std::uint64_t>(std::llround(cells));
    result.registers = static_cast<std::uint64_t>(std::llround(registers));
    result.slack_ns = result.clock_ns - result.critical_path_ns;
    result.fmax_mhz = result.critical_path_ns > 0 ? 1000 / result.critical_path_ns : 0;
    result.macs = request_.macs;
    result.area_per_mac_um2 = request_.macs == 0 ? 0 : area / static_cast<double>(request_.macs);
    composition.tree = share_of(hierarchy_.top, 1, density_of(hierarchy_.top), false);
    add_modules(composition.tree, result);
    return composition;
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
    result.path.start = prefix + result.path.start;
    result.path.end = prefix + result.path.end;
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

  [[nodiscard]] double own_gates(const Instance& instance) const {
    const auto all = gates();
    const auto known = all.find(CompositionPlan::key_of(instance));
    return known == all.end() ? 0 : known->second;
  }

  /// Gates of what is synthesised together with `instance`, itself too.
  [[nodiscard]] double gates_together(const Instance& instance) const {
    double sum = own_gates(instance);
    for (const Instance& child : instance.children)
      if (!plan_.is_apart(child)) sum += static_cast<double>(child.count) * gates_together(child);
    return sum;
  }

  /// Area for each gate of a block.
  [[nodiscard]] double density_of(const Instance& block) const {
    const double gates = gates_together(block);
    return gates > 0 ? measured_.at(CompositionPlan::key_of(block)).block.area_um2 / gates : 0;
  }

  Share share_of(const Instance& instance, std::int64_t times, double density, bool divided) const {
    const BlockKey key = CompositionPlan::key_of(instance);
    Share share{instance.name, instance.module, times, 0, divided, {}};
    const double own =
        divided || density > 0 ? density * own_gates(instance) : measured_.at(key).block.area_um2;
    share.area_um2 = static_cast<double>(times) * own;
    if (plan_.extension(instance).needed()) return share;
    for (const Instance& child : instance.children) {
      const bool apart = plan_.is_apart(child);
      share.children.push_back(
          share_of(child, times * child.count, apart ? density_of(child) : density, !apart));
    }
    if (const auto contents = contents_.find(key); contents != contents_.end()) {
      for (const auto& [shape, number] : contents->second.memories) {
        const auto use = memories_.find(shape);
        if (use == memories_.end()) continue;
        const std::int64_t all = times * number;
        share.children.push_back({fmt::format("memory {} x {}", shape.words, shape.width),
                                  "",
                                  all,
                                  static_cast<double>(all) * use->second.model.area_um2,
                                  false,
                                  {}});
      }
    }
    for (const Share& child : share.children) share.area_um2 += child.area_um2;
    return share;
  }

  /// What each module contributes by itself.
  static void add_modules(const Share& share, Result& result) {
    double own = share.area_um2;
    for (const Share& child : share.children) {
      own -= child.area_um2;
      add_modules(child, result);
    }
    ModuleUse& use = result.by_module[share.module.empty() ? share.name : share.module];
    use.instances += static_cast<std::uint64_t>(share.instances);
    use.area_um2 += own;
  }

  const Request& request_;
  std::shared_ptr<const FolderLock> lock_;
  const Hierarchy& hierarchy_;
  CompositionOptions options_;
  Target target_;
  double transition_ns_ = gate_delay_ns(target_);
  CompositionPlan plan_;
  std::map<BlockKey, Contents> contents_;
  std::map<MemoryShape, MemoryUse> memories_;
  std::map<MemoryShape, Macro> memory_macros_;
  std::vector<const Instance*> blocks_;
  std::map<BlockKey, Measured> measured_;
  std::mutex mutex_;
  double cpu_seconds_ = 0;
  double peak_rss_mib_ = 0;
};

}  // namespace

Composition compose(const Request& request, const Hierarchy& hierarchy,
                    const CompositionOptions& options) {
  return Composer(request, hierarchy, options).run();
}

}  // namespace weft::synth
