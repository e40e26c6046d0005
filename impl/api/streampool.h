/* The engine over the host device, for C: pools of host memory whose reuse follows streams.
 *
 * Thread safe. Streams here are worker threads of the library; streampool_run gives them work. Every function that
 * returns an int returns 0 on success and one of the codes below otherwise. */
#ifndef STREAMPOOL_H
#define STREAMPOOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SP_OK = 0, SP_INVALID = 1, SP_OUT_OF_MEMORY = 2 };

typedef struct sp_domain sp_domain; /* a device with its streams */
typedef struct sp_pool sp_pool;
typedef struct sp_event sp_event;
typedef uint32_t sp_stream;

/* Null: no memory. At most `memory` bytes become physical at a time. */
sp_domain* sp_domain_create(uint64_t memory);
/* Finishes all work first. Its pools and events must be destroyed before. */
void sp_domain_destroy(sp_domain*);

int sp_stream_create(sp_domain*, sp_stream*);
void sp_stream_destroy(sp_domain*, sp_stream); /* pending work still runs */
/* Runs work(argument) in stream order. */
int sp_run(sp_domain*, sp_stream, void (*work)(void*), void* argument);
/* Returns once everything submitted before has run; memory above the thresholds goes back. */
void sp_stream_synchronize(sp_domain*, sp_stream);

sp_event* sp_event_create(void);
void sp_event_destroy(sp_event*);
void sp_event_record(sp_domain*, sp_event*, sp_stream);
void sp_stream_wait_event(sp_domain*, sp_stream, const sp_event*);

/* max_size 0: no limit of the pool's own. Null: no memory. */
sp_pool* sp_pool_create(sp_domain*, uint64_t max_size, uint64_t release_threshold);
void sp_pool_destroy(sp_pool*);
int sp_malloc_async(sp_pool*, void** p, size_t bytes, sp_stream);
int sp_free_async(sp_pool*, void* p, sp_stream);
uint64_t sp_pool_used(sp_pool*);
uint64_t sp_pool_reserved(sp_pool*);

#ifdef __cplusplus
}
#endif
#endif
