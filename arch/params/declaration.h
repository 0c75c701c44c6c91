// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "arch/params/kind.h"

namespace weft::arch {

/// The words of a configuration for the values of a C++ type (an enumeration, a number format).
template <class E>
struct Enumeration {
  std::vector<std::pair<std::string, E>> words;
  std::string summary = {};  ///< see Choice

  [[nodiscard]] std::string word(const E& value) const {
    for (const auto& [text, meaning] : words) {
      if (meaning == value) return text;
    }
    return {};
  }
  [[nodiscard]] E value(const std::string& word) const {
    for (const auto& [text, meaning] : words) {
      if (text == word) return meaning;
    }
    return {};
  }
  [[nodiscard]] Choice choice() const {
    Choice result{{}, summary};
    for (const auto& entry : words) result.names.push_back(entry.first);
    return result;
  }
};

/// Ties the parameters of a kind to the members of the struct T that designs of that kind are. The
/// default of a parameter is what a default-constructed T holds, so it is written once, in T.
template <class T>
class Declaration {
 public:
  /// What is said about a parameter beside its member and its legal values.
  struct About {
    std::string name;
    std::string unit;
    std::string doc;
    bool required = false;
  };
  /// How `auto`, the default of the parameter, is resolved: from the members declared before it.
  struct Automatic {
    std::function<int(const T&)> resolve;
    std::string doc;
  };

  /// The same for a list.
  struct AutomaticList {
    std::function<IntegerList(const T&)> resolve;
    std::string doc;
    /// Draws a legal list for a design whose other members are final; unset: always `auto`.
    std::function<IntegerList(const T&, std::mt19937_64&)> draw = {};
  };

  Declaration(const std::string& kind, std::string doc) {
    kind_.name = kind;
    kind_.doc = std::move(doc);
    kind_.parameters.push_back({"kind", Choice{{kind}, {}}, {}, "What the file describes."});
  }

  void add(int T::*member, Domain domain, About about) {
    add_member(
        std::move(about), std::move(domain), {},
        [member](const T& design) { return Value(std::int64_t{design.*member}); },
        [member](T& design, const Value& value) {
          design.*member = static_cast<int>(std::get<std::int64_t>(value));
        });
  }

  void add(int T::*member, Domain domain, About about, Automatic automatic) {
    add_member(
        std::move(about), std::move(domain), automatic.doc,
        [member](const T& design) { return Value(std::int64_t{design.*member}); },
        [member, resolve = automatic.resolve](T& design, const Value& value) {
          design.*member = is_automatic(value) ? resolve(design)
                                               : static_cast<int>(std::get<std::int64_t>(value));
        });
  }

  void add(bool T::*member, About about) {
    add_member(
        std::move(about), Boolean{}, {},
        [member](const T& design) { return Value(design.*member); },
        [member](T& design, const Value& value) { design.*member = std::get<bool>(value); });
  }

  /// A list, `auto` by default.
  template <class Element>
  void add(std::vector<Element> T::*member, IntList domain, About about, AutomaticList automatic) {
    add_member(
        std::move(about), domain, automatic.doc,
        [member](const T& design) {
          return Value(IntegerList((design.*member).begin(), (design.*member).end()));
        },
        [member, resolve = automatic.resolve](T& design, const Value& value) {
          const IntegerList list =
              is_automatic(value) ? resolve(design) : std::get<IntegerList>(value);
          (design.*member).clear();
          for (const std::uint64_t element : list) {
            (design.*member).push_back(static_cast<Element>(element));
          }
        });
    if (automatic.draw) {
      kind_.parameters.back().draw_list = [body = body_, draw = automatic.draw](
                                              const Values& values, std::mt19937_64& random) {
        return Value(draw(body->build(values), random));
      };
    }
  }

  void add(std::string T::*member, Domain domain, About about) {
    add_member(
        std::move(about), std::move(domain), {},
        [member](const T& design) { return Value(design.*member); },
        [member](T& design, const Value& value) { design.*member = std::get<std::string>(value); });
  }

  template <class E>
  void add(E T::*member, const Enumeration<E>& words, About about) {
    add_member(
        std::move(about), words.choice(), {},
        [member, words](const T& design) { return Value(words.word(design.*member)); },
        [member, words](T& design, const Value& value) {
          design.*member = words.value(std::get<std::string>(value));
        });
  }

  void add(Rule rule) { kind_.rules.push_back(std::move(rule)); }

  /// `objection` says what is wrong with a design, and what is legal, in one line; nothing if it is
  /// right. It is also asked about designs that break rules or other checks.
  void add(Check check, std::function<std::string(const T&)> objection) {
    kind_.checks.push_back(std::move(check));
    body_->objections.push_back(std::move(objection));
    kind_.evaluate_checks = [body = body_](const Values& values) {
      return body->evaluate_checks(values);
    };
  }

  [[nodiscard]] const Kind& kind() const { return kind_; }

  /// The values of a design, `kind` included; none is `auto` if the design is resolved.
  [[nodiscard]] Values values(const T& design) const {
    Values result{{"kind", kind_.name}};
    for (const Member& member : body_->members) result[member.name] = member.get(design);
    return result;
  }

  /// The design that has these values, each accepted by its parameter; the others take their
  /// defaults.
  [[nodiscard]] T build(const Values& values) const { return body_->build(values); }

 private:
  struct Member {
    std::string name;
    std::optional<Value> default_value;
    std::function<Value(const T&)> get;
    std::function<void(T&, const Value&)> set;
  };

  /// What only code that knows T can do, shared with the functions that the kind holds.
  struct Body {
    std::vector<Member> members;
    std::vector<std::function<std::string(const T&)>> objections;

    [[nodiscard]] T build(const Values& values) const {
      T design;
      for (const Member& member : members) {
        const auto given = values.find(member.name);
        if (given != values.end()) {
          member.set(design, given->second);
        } else if (member.default_value) {
          member.set(design, *member.default_value);
        }
      }
      return design;
    }

    [[nodiscard]] std::vector<std::string> evaluate_checks(const Values& values) const {
      const T design = build(values);
      std::vector<std::string> result;
      for (const auto& objection : objections) result.push_back(objection(design));
      return result;
    }
  };

  void add_member(About about, Domain domain, std::string automatic,
                  std::function<Value(const T&)> get, std::function<void(T&, const Value&)> set) {
    std::optional<Value> fallback;
    if (!automatic.empty()) {
      fallback = automatic_word;
    } else if (!about.required) {
      fallback = get(T{});
    }
    body_->members.push_back({about.name, fallback, std::move(get), std::move(set)});
    kind_.parameters.push_back({std::move(about.name), std::move(domain), std::move(about.unit),
                                std::move(about.doc), std::move(fallback), std::move(automatic)});
  }

  Kind kind_;
  std::shared_ptr<Body> body_ = std::make_shared<Body>();
};

/// The declaration of the kind of design that T is. Specialised for each kind in the source file
/// that declares its parameters.
template <class T>
const Declaration<T>& declaration();

}  // namespace weft::arch
