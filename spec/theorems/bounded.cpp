#include "spec/theorems/bounded.hpp"

#include <algorithm>

#include "fmt/format.h"
#include "spec/rules/device.hpp"
#include "spec/theorems/smtlib.hpp"
#include "spec/theorems/solver.hpp"

namespace streampool::theorems {
namespace {

constexpr std::uint64_t unit = std::uint64_t{2} << 20;  // bytes that one address of the encoding stands for
constexpr std::uint64_t origin = 0x10000000;            // where they begin

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
    result = rebuild(term, std::move(parts));
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
Map<Key, Result> constant(const Result& value) {
  return Map<Key, Result>([=](const Key&) { return value; });
}

// A fresh machine with one pool that keeps memory under every byte, its switches open, and a closed gate.
World start(const Scope& scope) {
  World w = initial_world();
  for (std::size_t s = 1; s <= scope.streams; ++s) L::put(w.streams.given, stream(s), L::boolean(true));
  for (std::size_t e = 1; e <= scope.events; ++e)
    L::put(w.events.given, Event{literal(Sort::event, e)}, L::boolean(true));
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

std::string size_text(std::int64_t units) {
  return fmt::format("{}MiB", static_cast<std::uint64_t>(units) * (unit >> 20));
}

std::string line_of(const std::string& move, const Model& model, const std::string& suffix, std::size_t mallocs) {
  const auto argument = [&](const char* name, std::int64_t otherwise) {
    return model.value(fmt::format("arg.{}{}", name, suffix), otherwise);
  };
  const auto s = argument("s", 1), x = argument("x", 1), e = argument("e", 1);
  if (move == "malloc") {
    return fmt::format("malloc a{} {} p s{} -> ok 0x{:x}\n", mallocs, size_text(argument("size", 1)), s,
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
  if (move == "set_internal")
    return fmt::format("pool_set p reuse_allow_internal_dependencies {} -> ok\n", argument("flag", 0));
  if (move == "recycle") return "stream_destroy s1 -> ok\nstream_create s3 nonblocking -> ok\n";
  return "";  // the device alone: nothing to be seen
}

std::string history_of(const std::vector<Move>& moves, const std::vector<std::size_t>& kinds, const Model& model,
                       const Scope& scope, const std::string& title, const char* verdict) {
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
  std::size_t mallocs = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string& name = moves[kinds[i]].name;
    if (name == "malloc") ++mallocs;
    text += line_of(name, model, fmt::format("@{}", i), mallocs);
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
        const Bool both =
            covers_address(w, older, a) && covers_address(w, newer, a) && w.history.age(older) < w.history.age(newer);
        const Bool runs = row.position(newer) <= w.state.device.executed(row.stream(newer));
        const Bool ended = row.freed(older) && spec::free_executed(w.state, older);
        return (both && (!row.freed(older) || (runs && !ended))).term;
      })};
    });
  });
}

Bool memory_is_promised_twice(const World& w) {
  const auto& row = w.state.allocations;
  return {exists(Sort::allocation, [&](Term o) {
    return exists(Sort::allocation, [&](Term n) {
      return exists(Sort::address, [&](Term t) {
        const Allocation older{o}, newer{n};
        const Address a{t};
        const Stream f = row.free_stream(older);
        const Bool both =
            covers_address(w, older, a) && covers_address(w, newer, a) && w.history.age(older) < w.history.age(newer);
        const Bool held{exists(Sort::stream, [&](Term u) {
          return (one() <= row.free_cut(older)(Stream{u}) && !(w.state.device.gate(Stream{u})(one()) == Gate{})).term;
        })};
        const Bool unordered = !row.free_synchronous(older) &&
                               w.history.cut(row.stream(newer))(row.position(newer))(f) < row.free_position(older);
        // With internal dependencies on, the runtime might have put a wait in that nobody sees.
        const Bool no_wait = !w.state.pools.allow_internal_dependencies(pool);
        return (both && (!row.freed(older) || (held && unordered && no_wait))).term;
      });
    });
  })};
}

std::vector<Move> moves(const std::function<Stepped(const World&, const Arguments&)>& malloc) {
  const auto rule = [](const char* name) { return Move{name, transition(name).step}; };
  std::vector<Move> all;
  all.push_back({"hold", [](const World& w, const Arguments& a) {
                   Stepped r = transition("hold").step(w, a);
                   // One item of one stream stands behind the gate.
                   r.owed = r.owed && submitted(w, a.s) == zero() && Bool{for_all(Sort::stream, [&](Term t) {
                              return (w.state.device.gate(Stream{t})(one()) == Gate{}).term;
                            })};
                   return r;
                 }});
  all.insert(all.end(),
             {{"malloc", malloc}, rule("free"), rule("use"), rule("record"), rule("wait"), rule("free_sync")});
  // The device ends the next item of the stream, if there is one, and the call waits for all of them.
  all.push_back({"sync", [](const World& w, const Arguments& a) {
                   World ran = w;
                   const Bool starts = spec::start(ran.state.device, ran.state.runtime, a.s);
                   const Bool ends = spec::finish(ran.state.device, a.s);
                   const Bool idle = submitted(w, a.s) == w.state.device.executed(a.s);
                   ran.state.device.started = choose(idle, w.state.device.started, ran.state.device.started);
                   ran.state.device.executed = choose(idle, w.state.device.executed, ran.state.device.executed);
                   Stepped r = transition("prove_stream").step(ran, a);
                   spec::observe(r.after.state);
                   r.guard = r.guard && (idle || (starts && ends));
                   return r;
                 }});
  return all;
}

namespace {

// Runs of one length, kind by kind: the kinds are literal, the arguments are the solver's. Depth first, so that runs
// share their beginnings.
class Search {
 public:
  Search(const std::vector<Move>& moves, const Scope& scope, std::function<Bool(const World&)> ends,
         const std::string& last, bool runs_on)
      : moves_(moves),
        scope_(scope),
        values_(values_of(scope)),
        ends_(std::move(ends)),
        last_(last),
        runs_on_(runs_on) {}

  // The kinds and the model of a run of this length.
  std::optional<std::pair<std::vector<std::size_t>, Solved>> run(std::size_t length) {
    length_ = length;
    kinds_.clear();
    return extend(start(scope_), {}, {});
  }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  struct Count {
    std::size_t mallocs = 0, frees = 0, records = 0;
  };

  // Runs that cannot be shortest are not tried: a hold comes first, a free needs something to free, a wait something to
  // wait for, a record somebody who waits.
  [[nodiscard]] bool sensible(const std::string& move, const Count& count) const {
    if (move == "hold") return kinds_.empty();
    if (move == "malloc") return count.mallocs < scope_.allocations;
    if (move == "free" || move == "free_sync") return count.frees < count.mallocs;
    if (move == "use") return count.mallocs > 0;
    if (move == "wait") return count.records > 0;
    if (move == "record") return kinds_.size() + 3 <= length_;
    return true;
  }

  std::optional<std::pair<std::vector<std::size_t>, Solved>> extend(const World& world,
                                                                    const std::vector<Term>& assertions, Count count) {
    for (std::size_t kind = 0; kind < moves_.size(); ++kind) {
      const std::string& name = moves_[kind].name;
      const bool final = kinds_.size() + 1 == length_;
      if (final && name != last_) continue;
      if ((!final || name == "malloc") && !sensible(name, count)) continue;
      Count more = count;
      more.mallocs += name == "malloc" ? 1 : 0;
      more.frees += name == "free" || name == "free_sync" ? 1 : 0;
      more.records += name == "record" ? 1 : 0;
      std::vector<Term> longer = assertions;
      const World after = step(world, moves_[kind], more.mallocs, longer);
      if (std::ranges::any_of(longer, is_false)) continue;
      kinds_.push_back(kind);
      if (final) {
        longer.push_back(expand(ends_(runs_on_ ? drained(after, scope_, length_) : after).term, values_));
        Solved solved = solve_with_z3(to_smtlib(longer, {}, "").text, 0, 20, true);
        seconds_ += solved.seconds;
        if (solved.answer == Answer::sat) return std::pair{kinds_, std::move(solved)};
      } else if (auto found = extend(after, longer, more)) {
        return found;
      }
      kinds_.pop_back();
    }
    return std::nullopt;
  }

  World step(const World& before, const Move& move, std::size_t allocation, std::vector<Term>& assertions) {
    const Definitions definitions;
    Arguments a = arguments(fmt::format("@{}", kinds_.size()));
    a.p = move.name == "create_pool" ? Pool{literal(Sort::pool, 2)} : pool;
    a.g = move.name == "make_gate" ? Gate{literal(Sort::gate, 2)} : gate;
    if (move.name == "malloc") a.x = {literal(Sort::allocation, allocation)};
    const auto one_of = [&](Term t, const std::vector<Term>& allowed) {
      std::vector<Term> parts;
      for (const Term value : allowed) parts.push_back(equal(t, value));
      assertions.push_back(any_of(std::move(parts)));
    };
    // One more of each than there are, for the calls that give identities.
    one_of(a.s.term, literals(Sort::stream, 1, scope_.streams + 1));
    one_of(a.e.term, literals(Sort::event, 1, scope_.events + 1));
    one_of(a.x.term, literals(Sort::allocation, 1, scope_.allocations));
    one_of(a.base.term, literals(Sort::address, 0, scope_.addresses));
    one_of(a.size.term, literals(Sort::natural, 1, scope_.addresses));
    assertions.push_back(less_equal(plus(a.base.term, a.size.term), literal(Sort::natural, scope_.addresses)));
    const Stepped stepped = move.step(before, a);
    assertions.push_back(expand((stepped.guard && stepped.owed).term, values_));
    for (const Term axiom : definitions.axioms()) assertions.push_back(expand(axiom, values_));
    return stepped.after;
  }

  const std::vector<Move>& moves_;
  const Scope& scope_;
  std::vector<std::vector<Term>> values_;
  std::function<Bool(const World&)> ends_;
  std::string last_;
  bool runs_on_;
  std::size_t length_ = 0;
  std::vector<std::size_t> kinds_;
  double seconds_ = 0;
};

std::optional<Counterexample> find(const std::vector<Move>& moves, const std::function<Bool(const World&)>& ends,
                                   const std::string& last, const Scope& scope, std::size_t depth,
                                   const std::string& title, const char* verdict, bool runs_on) {
  Search search(moves, scope, ends, last, runs_on);
  for (std::size_t length = 1; length <= depth; ++length) {
    if (const auto found = search.run(length)) {
      return Counterexample{history_of(moves, found->first, Model(found->second.constants), scope, title, verdict),
                            length, search.seconds()};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Counterexample> find_counterexample(const std::vector<Move>& moves,
                                                  const std::function<Bool(const World&)>& bad, const Scope& scope,
                                                  std::size_t depth, const std::string& title, bool runs_on) {
  return find(moves, bad, "malloc", scope, depth, title, "violation REUSE|ALLOC", runs_on);
}

std::optional<Counterexample> find_run(const std::vector<Move>& moves, std::size_t last, const Scope& scope,
                                       std::size_t depth, const std::string& title) {
  return find(
      moves, [](const World&) { return L::boolean(true); }, moves[last].name, scope, depth, title, "conformant", false);
}

}  // namespace streampool::theorems
