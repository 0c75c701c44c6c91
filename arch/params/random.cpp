// SPDX-License-Identifier: Apache-2.0
#include "arch/params/random.h"

namespace weft::arch {

Values random_values(const Kind& kind, std::mt19937_64& random, const Narrowed& narrowed) {
  while (true) {
    Values values;
    for (const Parameter& parameter : kind.parameters) {
      const auto narrow = narrowed.find(parameter.name);
      if (narrow != narrowed.end()) {
        values[parameter.name] = draw(narrow->second, random);
      } else if (!parameter.automatic.empty() && std::bernoulli_distribution()(random)) {
        values[parameter.name] = automatic_word;
      } else {
        values[parameter.name] = draw(parameter.domain, random);
      }
    }
    if (kind.broken_clauses(values).empty()) return values;
  }
}

}  // namespace weft::arch
