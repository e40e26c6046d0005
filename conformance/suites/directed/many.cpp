// Many of a kind: what a runtime keeps in a table of some length, or in a number of few bits.
#include "conformance/suites/directed/directed.hpp"
#include "conformance/suites/directed/setup.hpp"

namespace streampool::suites {
namespace {

#define STREAMPOOL_TEN(text) text text text text text text text text text text
// `X(NUMBER)` for each of ten numbers that begin with this digit.
#define STREAMPOOL_TENS(X, digit) \
  X(digit##0)                     \
  X(digit##1) X(digit##2) X(digit##3) X(digit##4) X(digit##5) X(digit##6) X(digit##7) X(digit##8) X(digit##9)
#define STREAMPOOL_EIGHTY(X) \
  STREAMPOOL_TENS(X, 1)      \
  STREAMPOOL_TENS(X, 2)      \
  STREAMPOOL_TENS(X, 3)      \
  STREAMPOOL_TENS(X, 4) STREAMPOOL_TENS(X, 5) STREAMPOOL_TENS(X, 6) STREAMPOOL_TENS(X, 7) STREAMPOOL_TENS(X, 8)
#define STREAMPOOL_MALLOC(number) "malloc a" #number " {alignment} p s1\n"
#define STREAMPOOL_FREE(number) "free a" #number " s1\n"
#define STREAMPOOL_AGAIN(number) "malloc b" #number " {alignment} p s2\n"
#define STREAMPOOL_MAKE_EVENT(number) "event_create h" #number "\n"
#define STREAMPOOL_END_EVENT(number) "event_destroy h" #number "\n"

constexpr Case cases[] = {
    {.name = "reuse/unsafe_where_many_frees_are_pending",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "reuses_any_free",
     .setup = strict_pool,
     .text = STREAMPOOL_EIGHTY(STREAMPOOL_MALLOC) "gate_hold s1 g\n" STREAMPOOL_EIGHTY(STREAMPOOL_FREE)
         STREAMPOOL_EIGHTY(STREAMPOOL_AGAIN) "gate_open g\ndevice_sync\n"},
    {.name = "reuse/unsafe_after_many_items",
     .aims = {"REUSE-UNSAFE"_clause},
     .twins = "reuses_any_free",
     .setup = strict_pool,
     .text = "pool_set p reuse_follow_event_dependencies 1\n"
             "malloc a {granule} p s1\n" STREAMPOOL_TEN(STREAMPOOL_TEN("event_record f s1\n"))  //
     "event_record e s1\n"
     "stream_wait_event s2 e\n" STREAMPOOL_TEN(STREAMPOOL_TEN("event_record f s1\nevent_record f s1\n"))  //
     "gate_hold s1 g\n"
     "free a s1\n"
     "malloc b {granule} p s2\n"
     "gate_open g\n"
     "device_sync\n"
     "expect overlap(a, b) forbidden\n"},
    {.name = "lifecycle/many_events_are_distinct",
     .aims = {"LIFE-HANDLE-DISTINCT"_clause},
     .twins = "handles_repeat",
     .setup = streams,
     .text = STREAMPOOL_EIGHTY(STREAMPOOL_MAKE_EVENT) STREAMPOOL_EIGHTY(STREAMPOOL_END_EVENT)},
};

#undef STREAMPOOL_TEN
#undef STREAMPOOL_TENS
#undef STREAMPOOL_EIGHTY
#undef STREAMPOOL_MALLOC
#undef STREAMPOOL_FREE
#undef STREAMPOOL_AGAIN
#undef STREAMPOOL_MAKE_EVENT
#undef STREAMPOOL_END_EVENT

}  // namespace

std::span<const Case> many_cases() { return cases; }

}  // namespace streampool::suites
