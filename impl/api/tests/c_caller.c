/* A C program over the C interface; returns the number of the step that went wrong, 0 if none. */
#include "impl/api/streampool.h"

static void store_seven(void* p) { *(int*)p = 7; }
static void add_one(void* p) { *(int*)p += 1; }

int run_c_caller(void) {
  sp_domain* domain = sp_domain_create(UINT64_C(64) << 20);
  sp_pool* pool = domain ? sp_pool_create(domain, 0, 0) : 0;
  sp_event* event = sp_event_create();
  sp_stream s, t;
  void *a = 0, *b = 0;
  if (!pool || !event) return 1;
  if (sp_stream_create(domain, &s) != SP_OK || sp_stream_create(domain, &t) != SP_OK) return 2;
  if (sp_malloc_async(pool, &a, 100, s) != SP_OK) return 3;
  if (sp_run(domain, s, store_seven, a) != SP_OK) return 4;
  sp_event_record(domain, event, s);
  sp_stream_wait_event(domain, t, event);
  if (sp_run(domain, t, add_one, a) != SP_OK) return 5;
  sp_stream_synchronize(domain, t);
  if (*(int*)a != 8) return 6;
  if (sp_free_async(pool, a, t) != SP_OK || sp_free_async(pool, a, t) != SP_INVALID) return 7;
  if (sp_malloc_async(pool, &b, 100, t) != SP_OK || b != a) return 8;
  if (sp_pool_used(pool) != 100 || sp_free_async(pool, b, t) != SP_OK) return 9;
  sp_stream_synchronize(domain, t);
  if (sp_pool_reserved(pool) != 0) return 10;
  if (sp_malloc_async(pool, &b, (size_t)1 << 40, t) != SP_OUT_OF_MEMORY) return 11;
  sp_stream_destroy(domain, s);
  sp_event_destroy(event);
  sp_pool_destroy(pool);
  sp_domain_destroy(domain);
  return 0;
}
