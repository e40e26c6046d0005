// The vendors' real libraries, with or without a device behind them: every symbol that the adapter cannot do without is
// there, and without a device the vendor's own code says so.
#include "conformance/adapters/tests/adapter.hpp"

namespace streampool::adapters {
namespace {

void expect_open_or_no_device(const char* adapter_path, const char* library) {
  constexpr std::int64_t insufficient_driver = 35, no_device = 100;
  Adapter adapter(adapter_path, library);
  const streampool_status status = adapter.open();
  const Error error = adapter.last_error();
  if (status == STREAMPOOL_OK) {
    EXPECT_TRUE(adapter.offers(STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_EVENT));
    EXPECT_EQ(adapter.close(), STREAMPOOL_OK);
    return;
  }
  EXPECT_EQ(status, STREAMPOOL_NOT_SUPPORTED) << error.text;
  EXPECT_TRUE(error.code == insufficient_driver || error.code == no_device) << error.code << " " << error.text;
}

#ifdef CUDA_LIBRARY
TEST(RealLibraries, CudaOpensOrSaysWhyNot) { expect_open_or_no_device(CUDA_ADAPTER, CUDA_LIBRARY); }
#endif
#ifdef HIP_LIBRARY
TEST(RealLibraries, HipOpensOrSaysWhyNot) { expect_open_or_no_device(HIP_ADAPTER, HIP_LIBRARY); }
#endif

}  // namespace
}  // namespace streampool::adapters
