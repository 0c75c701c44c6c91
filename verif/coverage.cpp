// SPDX-License-Identifier: Apache-2.0
#include "verif/coverage.h"

namespace weft::verif {

nlohmann::ordered_json to_json(const Coverage& coverage) {
  nlohmann::ordered_json corners = nlohmann::ordered_json::object();
  for (const Coverage::Corner& corner : coverage.corners()) {
    if (corner.possible) corners[corner.name] = corner.hits;
  }
  return {{"reached", coverage.reached()}, {"of", coverage.possible()}, {"corners", corners}};
}

}  // namespace weft::verif
