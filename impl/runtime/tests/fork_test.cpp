// A process with a live runtime forks: parent and child go on, each may end as it likes.
#include <sys/wait.h>
#include <unistd.h>

#include "impl/runtime/tests/runtime_fixture.hpp"
#include "impl/runtime/tests/thread_sanitizer.hpp"

namespace streampool::engine::testing {
namespace {

TYPED_TEST_SUITE(RuntimeTest, Devices);

// `body` in a child process, which then ends by exit(). A child that hangs is ended by an alarm.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    std::exit(body() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

TYPED_TEST(RuntimeTest, AForkedChildUsesPoolsAndExits) {
#ifdef STREAMPOOL_THREAD_SANITIZER
  GTEST_SKIP() << "the thread sanitizer lets no forked child start a thread";
#endif
  auto& r = this->opened;
  const auto s = r.stream(), p = r.quiet_pool(), a = r.malloc(MiB, p, s);
  r.fill(s, a, 1, MiB);  // its stream has a thread now, where streams have threads
  r.sync(s);
  for (int i = 0; i < 3000; ++i) r.free(r.malloc(4096, p, s), s);  // the pool favours this thread
  const int status = status_of_child([&] {
    r.free(a, s);
    const auto b = r.malloc(MiB, p, s);
    std::thread([&] { r.free(r.malloc(4096, p, s), s); }).join();
    return b == a && r.used(p) == MiB && !::testing::Test::HasFailure();
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(r.used(p), MiB) << "the parent's pool is its own";
  EXPECT_TRUE(r.reads(s, a, MiB, 1));
  r.free(a, s);
}

}  // namespace
}  // namespace streampool::engine::testing
