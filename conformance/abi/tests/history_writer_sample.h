/* The same recording, made by this file compiled as C11 and as C++. Define SAMPLE_NAME before including it. */
#include "conformance/abi/streampool_history_writer.h"

#ifdef __cplusplus
extern "C"
#endif
    int
    SAMPLE_NAME(const char* path);

int SAMPLE_NAME(const char* path) {
  streampool_history h;
  const uint64_t legacy = STREAMPOOL_HISTORY_LEGACY;
  if (streampool_history_open(&h, path, "strict") != 0) return -1;
  streampool_history_end(&h, streampool_history_begin_stream_create(&h, 1), STREAMPOOL_HISTORY_OK, 0x51);
  streampool_history_end(&h, streampool_history_begin_event_create(&h), STREAMPOOL_HISTORY_OK, 0xe1);
  streampool_history_end(&h, streampool_history_begin_pool_create(&h, 0), STREAMPOOL_HISTORY_OK, 0x91);
  streampool_history_end(&h, streampool_history_begin_pool_set(&h, 0x91, 4, UINT64_MAX), STREAMPOOL_HISTORY_OK, 0);
  streampool_history_end(&h, streampool_history_begin_malloc(&h, 4096, 0x91, 0x51), STREAMPOOL_HISTORY_OK, 0x200000);
  streampool_history_end(&h, streampool_history_begin_launch(&h, 0x51, 0x200000), STREAMPOOL_HISTORY_OK, 0);
  streampool_history_end(&h, streampool_history_begin_event_record(&h, 0xe1, 0x51), STREAMPOOL_HISTORY_OK, 0);
  streampool_history_end(&h, streampool_history_begin_stream_wait_event(&h, legacy, 0xe1), STREAMPOOL_HISTORY_OK, 0);
  streampool_history_end(&h, streampool_history_begin_free(&h, 0x200000, legacy), STREAMPOOL_HISTORY_OK, 0);
  streampool_history_end(&h, streampool_history_begin_event_query(&h, 0xe1), STREAMPOOL_HISTORY_NOT_READY, 0);
  streampool_history_end(&h, streampool_history_begin_pool_get(&h, 0x91, 7), STREAMPOOL_HISTORY_OK, 0);
  /* The same address again is another allocation. A stream that is destroyed and made again is another stream. */
  streampool_history_end(&h, streampool_history_begin_malloc(&h, 4096, STREAMPOOL_HISTORY_CURRENT, legacy),
                         STREAMPOOL_HISTORY_OK, 0x200000);
  streampool_history_end(&h, streampool_history_begin_malloc(&h, UINT64_MAX, 0x91, 0x51),
                         STREAMPOOL_HISTORY_OUT_OF_MEMORY, 0);
  streampool_history_end(&h, streampool_history_begin_stream_destroy(&h, 0x51), STREAMPOOL_HISTORY_OK, 0);
  streampool_history_end(&h, streampool_history_begin_stream_create(&h, 0), STREAMPOOL_HISTORY_OK, 0x51);
  streampool_history_end(&h, streampool_history_begin_stream_sync(&h, 0x51), STREAMPOOL_HISTORY_OK, 0);
  streampool_history_end(&h, streampool_history_begin_free_sync(&h, 0x200000), STREAMPOOL_HISTORY_INVALID_VALUE, 0);
  streampool_history_end(&h, streampool_history_begin_free(&h, 0x12345, 0x51), STREAMPOOL_HISTORY_INVALID_VALUE, 0);
  streampool_history_end(&h, streampool_history_begin_memory_info(&h), STREAMPOOL_HISTORY_OK, 77);
  return streampool_history_close(&h);
}
