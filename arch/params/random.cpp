// SPDX-License-Identifier: Apache-2.0
#include "arch/params/random.h"

#include <stdexcept>

namespace weft::arch {
namespace {

template <class T>
const T& one_of(const std::vector<T>& items, std::mt19937_64& random) {
  return items[std::uniform_int_distribution<std::size_t>(0, items.size() - 1)(random)];
}

bool coin(std::mt19937_64& random) { return std::bernoulli_distribution()(random); }

/// Draws values of one kind.
class Drawing {
 public:
  Drawing(const Kind& kind, std::mt19937_64& random, const Narrowed& narrowed)
      : kind_(kind), random_(random), narrowed_(narrowed) {}

  Values run() {
    for (const Parameter& parameter : kind_.parameters) draw(parameter);
    repair();
    for (const Parameter& parameter : kind_.parameters) draw_list(parameter);
    return std::move(values_);
  }

 private:
  /// Draws the parameter anew. Lists remain `auto` until everything that they depend on is final.
  void draw(const Parameter& parameter) {
    const auto narrow = narrowed_.find(parameter.name);
    const bool is_list = std::holds_alternative<IntList>(parameter.domain);
    if (narrow != narrowed_.end()) {
      values_[parameter.name] = arch::draw(narrow->second, random_);
    } else if (is_list || (!parameter.automatic.empty() && coin(random_))) {
      values_[parameter.name] = automatic_word;
    } else {
      values_[parameter.name] = arch::draw(parameter.domain, random_);
    }
  }

  void draw_list(const Parameter& parameter) {
    if (parameter.draw_list && coin(random_)) {
      values_[parameter.name] = parameter.draw_list(values_, random_);
    }
  }

  void repair() {
    constexpr int patience = 100000;
    for (int i = 0; i < patience; ++i) {
      if (const auto broken = kind_.broken_clauses(values_); !broken.empty()) {
        repair(*one_of(broken, random_));
      } else if (const auto failed = kind_.failed_checks(values_); !failed.empty()) {
        draw(*kind_.find(one_of(one_of(failed, random_).check->parameters, random_)));
      } else {
        return;
      }
    }
    throw std::invalid_argument("no legal " + kind_.name + " was found in the narrowed domains");
  }

  /// Mostly makes the consequence true, so that conditions with many consequences survive; else
  /// draws one of the conditions anew.
  void repair(const Clause& clause) {
    if (!clause.when.empty() && coin(random_) && coin(random_)) {
      draw(*kind_.find(one_of(clause.when, random_).parameter));
      return;
    }
    const Value value = arch::draw(clause.then.domain, random_);
    const auto narrow = narrowed_.find(clause.then.parameter);
    const Domain& domain =
        narrow != narrowed_.end() ? narrow->second : kind_.find(clause.then.parameter)->domain;
    if (contains(domain, value)) values_[clause.then.parameter] = value;
  }

  const Kind& kind_;
  std::mt19937_64& random_;
  const Narrowed& narrowed_;
  Values values_;
};

}  // namespace

Values random_values(const Kind& kind, std::mt19937_64& random, const Narrowed& narrowed) {
  return Drawing(kind, random, narrowed).run();
}

}  // namespace weft::arch
