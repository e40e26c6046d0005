#include "spec/theorems/bounded.hpp"

#include <algorithm>

#include "fmt/format.h"
#include "spec/theorems/smtlib.hpp"
#include "spec/theorems/solver.hpp"
#include "spec/theorems/world_fields.hpp"

namespace streampool::theorems {
namespace {

constexpr std::uint64_t unit = std::uint64_t{2} << 20;       // bytes that one address of the encoding stands for
constexpr std::uint64_t origin = 0x10000000;                 // where they begin

const Pool pool{literal(Sort::pool, 1)};
const Gate gate{literal(Sort::gate, 1)};
Stream stream(std::size_t i) { return {literal(Sort::stream, i)}; }

Term expand_in(Term term, const std::vector<std::vector<Term>>& values, TermMap<Term>& done) {
  if (!term->quantified) return term;
  if (const auto it = done.find(term); it != done.end()) return it->second;
  std::vector<Term> parts;
  Term result;
  if (term->op == Op::forall) {
    for (const Term value : values[static_cast<std::size_t>(term->arguments[0]->sort)]) {
      parts.push_back(expand_in(substitute(term->arguments[1], {{term->arguments[0], value}}), values, done));
    }
    result = all_of(std::move(parts));
  } else {
    for (const Term argument : term->arguments) parts.push_back(expand_in(argument, values, done));
    switch (term->op) {
      case Op::negate: result = negate(parts[0]); break;
      case Op::all: result = all_of(std::move(parts)); break;
      case Op::any: result = any_of(std::move(parts)); break;
      case Op::equal: result = equal(parts[0], parts[1]); break;
      default: result = choose(parts[0], parts[1], parts[2]); break;
    }
  }
  done.emplace(term, result);
  return result;
}

std::vector<Term> literals(Sort sort, std::uint64_t from, std::uint64_t count) {
  std::vector<Term> values;
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(literal(sort, from + i));
  return values;
}

std::vector<std::vector<Term>> values_of(const Scope& scope) {
  std::vector<std::vector<Term>> values(sort_count);
  const auto set = [&](Sort sort, std::uint64_t from, std::uint64_t count) {
    values[static_cast<std::size_t>(sort)] = literals(sort, from, count);
  };
  set(Sort::stream, 1, scope.streams);
  set(Sort::event, 1, scope.events);
  set(Sort::allocation, 1, scope.allocations);
  set(Sort::address, 0, scope.addresses);
  set(Sort::pool, 1, 1);
  set(Sort::gate, 1, 1);
  return values;
}

template <class Key, class Result>
Map<Key, Result> constant(const Result& value) { return Map<Key, Result>([=](const Key&) { return value; }); }

// A fresh machine with one pool that keeps memory under every byte, its switches open, and a closed gate.
World start(const Scope& scope) {
  World w = initial_world();
  w.streams.given = constant<Stream, Bool>(L::boolean(true));
  w.events.given = constant<Event, Bool>(L::boolean(true));
  auto& pools = w.state.pools;
  L::put(pools.made, pool, L::boolean(true));
  L::put(pools.follow_event_dependencies, pool, unknown<Bool>("switch.follow"));
  L::put(pools.allow_opportunistic, pool, unknown<Bool>("switch.opportunistic"));
  L::put(pools.allow_internal_dependencies, pool, unknown<Bool>("switch.internal"));
  L::put(pools.reserved, pool, L::nat(scope.addresses));
  w.state.backed = constant<Address, Pool>(pool);
  L::put(w.state.device.gate_made, gate, L::boolean(true));
  L::put(w.state.device.closed, gate, L::boolean(true));
  return w;
}

World merge(const Bool& condition, const World& yes, const World& no) {
  World merged = no;
  for_each_field([&](const char*, auto& into, const auto& taken) { into = choose(condition, taken, into); }, merged, yes);
  return merged;
}

// The device runs as far as closed gates let it.
World drained(World w, const Scope& scope, std::size_t items) {
  for (std::size_t round = 0; round < items; ++round) {
    for (std::size_t s = 1; s <= scope.streams; ++s) {
      auto device = w.state.device;
      const Bool started = spec::start(device, w.state.runtime, stream(s));
      const Bool guard = started && spec::finish(device, stream(s));
      w.state.device.started = choose(guard, device.started, w.state.device.started);
      w.state.device.executed = choose(guard, device.executed, w.state.device.executed);
    }
  }
  return w;
}

class Model {
 public:
  explicit Model(const std::map<std::string, std::int64_t>& constants) : constants_(constants) {}
  [[nodiscard]] std::int64_t value(const std::string& name, std::int64_t otherwise) const {
    const auto it = constants_.find(symbol(name));
    return it == constants_.end() ? otherwise : it->second;
  }

 private:
  const std::map<std::string, std::int64_t>& constants_;
};

std::string size_text(std::int64_t units) { return fmt::format("{}MiB", static_cast<std::uint64_t>(units) * (unit >> 20)); }

std::string line_of(const std::string& move, const Model& model, const std::string& suffix) {
  const auto argument = [&](const char* name, std::int64_t otherwise) { return model.value(fmt::format("arg.{}{}", name, suffix), otherwise); };
  const auto s = argument("s", 1), x = argument("x", 1), e = argument("e", 1);
  if (move == "malloc") {
    return fmt::format("malloc a{} {} p s{} -> ok 0x{:x}\n", x, size_text(argument("size", 1)), s,
                       origin + static_cast<std::uint64_t>(argument("base", 0)) * unit);
  }
  if (move == "free") return fmt::format("free a{} s{} -> ok\n", x, s);
  if (move == "free_sync") return fmt::format("free_sync a{} -> ok\n", x);
  if (move == "use") return fmt::format("fill s{} a{} 0x01 -> ok\n", s, x);
  if (move == "submit") return fmt::format("launch s{} -> ok\n", s);
  if (move == "record") return fmt::format("event_record e{} s{} -> ok\n", e, s);
  if (move == "wait") return fmt::format("stream_wait_event s{} e{} -> ok\n", s, e);
  if (move == "hold") return fmt::format("gate_hold s{} g -> ok\n", s);
  if (move == "sync") return fmt::format("stream_sync s{} -> ok\n", s);
  if (move == "recycle") return "stream_destroy s1 -> ok\nstream_create s3 nonblocking -> ok\n";
  return "";  // the device alone: nothing to be seen
}

std::string history_of(const std::vector<Move>& moves, const Model& model, std::size_t depth, const Scope& scope, const std::string& title,
                       const char* verdict) {
  const bool recycles = std::ranges::any_of(moves, [](const Move& m) { return m.name == "recycle"; });
  std::string text = fmt::format("streampool-history 1\n# expect: {}\n# {}\nprofile strict\n", verdict, title);
  for (std::size_t s = 1; s <= scope.streams; ++s) {
    if (!(recycles && s == 3)) text += fmt::format("stream_create s{} nonblocking -> ok\n", s);
  }
  for (std::size_t e = 1; e <= scope.events; ++e) text += fmt::format("event_create e{} -> ok\n", e);
  text += "gate_create g -> ok\npool_create p max_size=0 -> ok\npool_set p release_threshold max -> ok\n";
  const auto set = [&](const char* attribute, const char* name) {
    text += fmt::format("pool_set p {} {} -> ok\n", attribute, model.value(name, 0));
  };
  set("reuse_follow_event_dependencies", "switch.follow");
  set("reuse_allow_opportunistic", "switch.opportunistic");
  set("reuse_allow_internal_dependencies", "switch.internal");
  for (std::size_t i = 0; i < depth; ++i) {
    const auto kind = static_cast<std::size_t>(model.value(fmt::format("move@{}", i), 0));
    text += line_of(moves[kind].name, model, fmt::format("@{}", i));
  }
  return text + "gate_open g -> ok\n";
}

}  // namespace

Term expand(Term term, const std::vector<std::vector<Term>>& values) {
  TermMap<Term> done;
  return expand_in(term, values, done);
}

Bool memory_is_shared(const World& w) {
  const auto& row = w.state.allocations;
  const auto some_allocation = [&](const std::function<Bool(const Allocation&)>& body) {
    return Bool{exists(Sort::allocation, [&](Term t) { return body(Allocation{t}).term; })};
  };
  return some_allocation([&](const Allocation& older) {
    return some_allocation([&](const Allocation& newer) {
      return Bool{exists(Sort::address, [&](Term t) {
        const Address a{t};
        const Bool both = covers_address(w, older, a) && covers_address(w, newer, a) && w.history.age(older) < w.history.age(newer);
        const Bool runs = row.position(newer) <= w.state.device.executed(row.stream(newer));
        const Bool ended = row.freed(older) && spec::free_executed(w.state, older);
        return (both && (!row.freed(older) || (runs && !ended))).term;
      })};
    });
  });
}

std::vector<Move> moves(const std::function<Stepped(const World&, const Arguments&)>& malloc) {
  const auto rule = [](const char* name) { return Move{name, transition(name).step}; };
  std::vector<Move> all{{"malloc", malloc}, rule("free"), rule("use"), rule("record"), rule("wait"), rule("free_sync")};
  all.push_back({"hold", [](const World& w, const Arguments& a) {
                   Stepped r = transition("hold").step(w, a);
                   // One item of one stream stands behind the gate.
                   r.owed = r.owed && submitted(w, a.s) == zero() && Bool{for_all(Sort::stream, [&](Term t) {
                              return (w.state.device.gate(Stream{t})(one()) == Gate{}).term;
                            })};
                   return r;
                 }});
  all.push_back({"sync", [](const World& w, const Arguments& a) {
                   Stepped r = transition("prove_stream").step(w, a);
                   spec::observe(r.after.state);
                   return r;
                 }});
  return all;
}

namespace {

// The shortest run for which `ends` holds of its last move and the world behind it.
std::optional<Counterexample> find(const std::vector<Move>& moves, const std::function<Bool(const Nat& last, const World&)>& ends, const Scope& scope,
                                   std::size_t depth, const std::string& title, const char* verdict) {
  const auto values = values_of(scope);
  World world = start(scope);
  std::vector<Term> assertions;
  double seconds = 0;
  for (std::size_t i = 0; i < depth; ++i) {
    const Definitions definitions;
    const std::string suffix = fmt::format("@{}", i);
    Arguments a = arguments(suffix);
    a.p = pool;
    a.g = gate;
    const auto one_of = [](Term t, const std::vector<Term>& allowed) {
      std::vector<Term> parts;
      for (const Term value : allowed) parts.push_back(equal(t, value));
      return any_of(std::move(parts));
    };
    const auto allowed = [&](Sort sort) { return values[static_cast<std::size_t>(sort)]; };
    assertions.push_back(one_of(a.s.term, allowed(Sort::stream)));
    assertions.push_back(one_of(a.e.term, allowed(Sort::event)));
    assertions.push_back(one_of(a.x.term, allowed(Sort::allocation)));
    assertions.push_back(one_of(a.base.term, allowed(Sort::address)));
    assertions.push_back(one_of(a.size.term, literals(Sort::natural, 1, scope.addresses)));
    assertions.push_back(less_equal(plus(a.base.term, a.size.term), literal(Sort::natural, scope.addresses)));
    const Term kind = application(Sort::natural, fmt::format("move{}", suffix));
    assertions.push_back(one_of(kind, literals(Sort::natural, 0, moves.size())));
    // What the device has done by the time of the call is its own affair: all that it could, or nothing since the last call.
    const World before = merge(unknown<Bool>("runs" + suffix), drained(world, scope, i), world);
    World after = before;
    for (std::size_t j = 0; j < moves.size(); ++j) {
      const Bool chosen{equal(kind, literal(Sort::natural, j))};
      const Stepped stepped = moves[j].step(before, a);
      assertions.push_back(expand(implies(chosen, stepped.guard && stepped.owed).term, values));
      after = merge(chosen, stepped.after, after);
    }
    for (const Term axiom : definitions.axioms()) assertions.push_back(expand(axiom, values));
    world = after;
    std::vector<Term> asked = assertions;
    asked.push_back(expand(ends(Nat{kind}, drained(world, scope, i + 1)).term, values));
    const Script script = to_smtlib(asked, {}, "sat");
    const Solved solved = solve_with_z3(script.text, 0, 60, true);
    seconds += solved.seconds;
    if (solved.answer == Answer::sat) {
      return Counterexample{history_of(moves, Model(solved.constants), i + 1, scope, title, verdict), i + 1, seconds};
    }
    if (solved.answer != Answer::unsat) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Counterexample> find_counterexample(const std::vector<Move>& moves, const std::function<Bool(const World&)>& bad, const Scope& scope,
                                                  std::size_t depth, const std::string& title) {
  return find(moves, [&](const Nat&, const World& w) { return bad(w); }, scope, depth, title, "violation REUSE|ALLOC");
}

std::optional<Counterexample> find_run(const std::vector<Move>& moves, std::size_t last, const Scope& scope, std::size_t depth, const std::string& title) {
  return find(moves, [&](const Nat& move, const World&) { return move == L::nat(last); }, scope, depth, title, "conformant");
}

}  // namespace streampool::theorems
