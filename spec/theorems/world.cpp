#include "spec/theorems/world.hpp"

#include "spec/theorems/world_fields.hpp"

namespace streampool::theorems {
namespace {

struct FillUnknown {
  template <class T>
  void operator()(const char* name, T& field) const {
    field = unknown<T>(name);
  }
};

}  // namespace

World any_world() {
  World world;
  for_each_field(FillUnknown{}, world);
  return world;
}

World initial_world() { return {}; }  // default values are 0, false, none and the empty cut

Address top() {
  const auto end = unknown<Address>("top");
  Definitions::add({less_equal(Address{}.term, end.term)});
  return end;
}

Parameters parameters() {
  return {.unit = unknown<Nat>("unit"),
          .slack = unknown<Nat>("slack"),
          .compares_idle = unknown<Bool>("compares_idle"),
          .reset_takes_current = unknown<Bool>("reset_takes_current")};
}

Arguments arguments(const std::string& suffix) {
  const auto name = [&](const char* base) { return base + suffix; };
  return {.s = unknown<Stream>(name("arg.s")),
          .e = unknown<Event>(name("arg.e")),
          .x = unknown<Allocation>(name("arg.x")),
          .p = unknown<Pool>(name("arg.p")),
          .g = unknown<Gate>(name("arg.g")),
          .h = unknown<Handle>(name("arg.h")),
          .base = unknown<Address>(name("arg.base")),
          .size = unknown<Nat>(name("arg.size")),
          .amount = unknown<Nat>(name("arg.amount")),
          .flag = unknown<Bool>(name("arg.flag")),
          .flag2 = unknown<Bool>(name("arg.flag2")),
          .switches = {unknown<Bool>(name("arg.follow")), unknown<Bool>(name("arg.opportunistic")),
                       unknown<Bool>(name("arg.internal"))},
          .waits = unknown<Cut>(name("arg.waits"))};
}

}  // namespace streampool::theorems
