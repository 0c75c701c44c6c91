// SPDX-License-Identifier: Apache-2.0
//
// The recipes themselves: the only place where passes are named. docs/reference/recipes.md is made
// from this.
#include "synth/recipes/recipe.h"

namespace weft::synth {
namespace {

using Passes = std::vector<Pass>;

Passes operator+(Passes first, const Passes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Passes to_gates{
    {"synth {flatten} -top {top}",
     "coarse and fine optimisation, arithmetic and memories to gates and flip-flops"},
};

const Passes to_cells{
    {"dfflibmap -liberty {library}", "flip-flops of the library"},
    {"abc -liberty {library} -constr {constraints} -D {period_ps} -script {abc_script}",
     "everything else: the passes below, with the block's surroundings and clock period"},
    {"clean", "what is not used any more"},
};

/// What every recipe begins with.
const Passes simplify{
    {"strash", "the logic as a graph of two-input ANDs and inverters"},
    {"&get -n; &fraig -x; &put", "one node for what is always equal, found by simulation and SAT"},
    {"scorr", "equal across registers, by induction (nothing here: ABC sees no registers)"},
    {"dc2", "fewer nodes, by rewriting small cuts"},
    {"dretime; retime -o -D {period_ps}; strash", "retiming (nothing here, for the same reason)"},
};

/// Restructures for few nodes: replaces functions of ever larger cuts by smaller ones, without
/// regard to levels.
const Passes shrink{
    {"balance -l; resub -K 6 -l; rewrite -l; resub -K 6 -N 2 -l; refactor -l",
     "re-expresses nodes by others that are there, in cuts of 6 leaves"},
    {"resub -K 8 -l; balance -l; resub -K 8 -N 2 -l; rewrite -l", "the same, 8 leaves"},
    {"resub -K 10 -l; rewrite -z -l; resub -K 10 -N 2 -l; balance -l",
     "10 leaves; -z also takes changes that save nothing, a way out of local minima"},
    {"resub -K 12 -l; refactor -z -l; resub -K 12 -N 2 -l; rewrite -z -l; balance -l", "12 leaves"},
};

/// Sizes cells by the library's delay tables until the period is met, then makes those smaller that
/// have time left.
const Passes size{
    {"upsize -D {period_ps}", "larger cells on paths that are too long"},
    {"dnsize -D {period_ps}", "smaller cells on paths that have time left"},
    {"stime -p", "reports the delay"},
};

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all{
      {"area", "Fewest square micrometres; loses speed.", to_gates, to_cells,
       simplify + shrink +
           Passes{
               {"dch", "structural choices: equivalent forms, among which mapping chooses"},
               {"amap -m", "maps for area, with complex cells where they cover more logic"},
               {"topo; buffer -c -N 16; topo",
                "a tree of buffers where one cell drives more than 16 others; without it a net "
                "with "
                "a high fan-out would set the clock"},
           } +
           size},
      {"balanced",
       "Yosys' default for a library with constraints, pass for pass: what others measure with.",
       to_gates, to_cells,
       simplify +
           Passes{
               {"&get -n; &dch -f; &nf -D {period_ps}; &put",
                "structural choices, mapped for delay where it matters and for area elsewhere"},
               {"buffer", "buffers at nets with a high fan-out"},
           } +
           size},
      {"speed", "Shortest critical path; costs area.", to_gates, to_cells,
       Passes{
           {"strash", "the logic as a graph of two-input ANDs and inverters"},
           {"&get -n; &fraig -x",
            "one node for what is always equal, found by simulation and SAT; "
            "no rewriting for area, which would lose what is needed here"},
           {"&dch -f", "structural choices: equivalent forms, found by SAT"},
           {"&if -g -K 6",
            "rebuilds the logic for few levels: cuts of six inputs, each as a balanced tree"},
           {"&dch -f; &nf; &put",
            "structural choices again, mapped for delay and then for area where delay allows"},
           {"buffer", "buffers at nets with a high fan-out"},
           {"upsize -D 1; dnsize -D 1; stime -p",
            "sizes as for a period of 1 ps: ABC does not know what registers take of the "
            "period, and with the real one it would stop too early"},
       }},
  };
  return all;
}

}  // namespace weft::synth
