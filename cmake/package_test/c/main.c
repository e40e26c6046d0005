/* The engine from C: memory that a stream's work fills, freed in the order of the stream. */
#include <inttypes.h>
#include <stdio.h>
#include <streampool/streampool.h>
#include <string.h>

static void fill(void* memory) { memset(memory, 7, 4096); }

int main(void) {
  sp_domain* domain = sp_domain_create(64u << 20);
  sp_pool* pool = domain == NULL ? NULL : sp_pool_create(domain, 0, 0);
  sp_stream stream;
  void* memory = NULL;
  if (pool == NULL || sp_stream_create(domain, &stream) != SP_OK) return 1;
  if (sp_malloc_async(pool, &memory, 4096, stream) != SP_OK) return 1;
  if (sp_run(domain, stream, fill, memory) != SP_OK) return 1;
  const uint64_t used = sp_pool_used(pool);
  if (sp_free_async(pool, memory, stream) != SP_OK) return 1;
  sp_stream_synchronize(domain, stream);
  printf("used %" PRIu64 ", then %" PRIu64 "\n", used, sp_pool_used(pool));
  sp_stream_destroy(domain, stream);
  sp_pool_destroy(pool);
  sp_domain_destroy(domain);
  return 0;
}
