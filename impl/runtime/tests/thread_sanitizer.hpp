// STREAMPOOL_THREAD_SANITIZER is defined where a test is built under it.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STREAMPOOL_THREAD_SANITIZER
#endif
#endif
