/* A runtime in one file, to copy and to change.
 *
 *     cc -std=c11 -shared -fPIC -O2 my_runtime.c -o libmy_runtime.so -I PATH/conformance/abi
 *     streampool run --runtime ./libmy_runtime.so --profile strict
 *
 * It is a complete stream-ordered pool on host memory with one simplification: it has no device. Each item is carried
 * out inside the call that submits it, so every stream is always idle and every order is kept by construction. What is
 * left is what a pool is about: blocks, statistics, release, life cycle and errors.
 *
 * To put your own runtime behind it, keep the table at the end and replace the bodies, group by group. A group that you
 * do not have: clear its bit in CAPABILITIES and leave its entries null. Three rules the bodies here keep to:
 *   - an output is written only where the call says so;
 *   - a refused call changes nothing and keeps a code and a text for last_error, per thread;
 *   - nothing synchronises, waits or prints beyond what the call is for. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "streampool_runtime.h"

/* What this runtime offers. Not here: gates (no item ever waits, so no stream can be held; the kit then cannot judge
 * what a runtime does while work is pending), steps, faults and the memory limit. */
#define CAPABILITIES                                                                                           \
  (STREAMPOOL_CAP_STREAM | STREAMPOOL_CAP_DEFAULT_STREAMS | STREAMPOOL_CAP_EVENT | STREAMPOOL_CAP_DEVICE |     \
   STREAMPOOL_CAP_MEMORY_INFO | STREAMPOOL_CAP_POOL | STREAMPOOL_CAP_DEFAULT_POOL | STREAMPOOL_CAP_ATTRIBUTE | \
   STREAMPOOL_CAP_MEMORY | STREAMPOOL_CAP_FREE_SYNC | STREAMPOOL_CAP_PROBE)

typedef streampool_status status;

/* ---- errors: the newest one of each thread ---- */

static _Thread_local struct {
  int64_t code;
  const char* text;
} newest_error = {0, ""};

static status refuse(status answer, const char* text) {
  newest_error.code = answer; /* your runtime's own code goes here */
  newest_error.text = text;
  return answer;
}

/* ---- objects ----
 * A handle is a number that is never given twice, so a dead one is always recognised. */

enum kind { STREAM, EVENT, POOL };

struct pool_state {
  bool destroyed;    /* by the program, while blocks are alive: it ends with the last of them */
  uint64_t blocks;   /* alive */
  uint64_t max_size; /* bytes, whole granules; UINT64_MAX: none */
  uint64_t value[9]; /* by attribute id: exactly what attribute_get returns */
};

struct object {
  uint64_t handle; /* 0: free place */
  enum kind kind;
  struct pool_state pool; /* kind POOL */
};

struct block {
  uint64_t address, bytes; /* bytes as asked for */
  uint64_t pool;           /* handle */
};

/* ---- the one context ----
 * Addresses are plenty (sixteen times the memory) and memory is counted in granules. Each 256-byte unit remembers which
 * stream freed it last: that is all the reuse rule needs here. */

enum { UNIT = 256, MAX_OBJECTS = 1024, MAX_BLOCKS = 65536 };
#define LIVE UINT32_MAX /* in unit_freed_by: inside a live block */

static struct {
  uint64_t context, last_handle;
  uint64_t memory, granule, space; /* bytes */
  char* base;
  uint64_t* granule_owner;                     /* pool handle, or 0: backed by nothing */
  uint32_t* unit_freed_by;                     /* stream handle; 0: not freed since it is backed */
  uint64_t next_granule;                       /* growth goes forward through the addresses */
  uint64_t reserved;                           /* bytes, of all pools */
  uint64_t default_pool, current_pool, legacy; /* handles */
  struct object objects[MAX_OBJECTS];
  struct block blocks[MAX_BLOCKS];
  size_t block_count;
} my;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static _Thread_local struct {
  uint64_t context, stream;
} own_stream; /* the per-thread default stream */

/* An entry begins with ENTER: it holds the lock to its end and refuses a foreign context. REQUIRE hands refusals on. */
static void unlock(bool* held) {
  *held = false;
  pthread_mutex_unlock(&lock);
}
#define ENTER(context)                                       \
  pthread_mutex_lock(&lock);                                 \
  __attribute__((cleanup(unlock), unused)) bool held = true; \
  if ((context) == 0 || (context) != my.context) return refuse(STREAMPOOL_INVALID_HANDLE, "no such context")
#define REQUIRE(condition)                      \
  do {                                          \
    const status answer = (condition);          \
    if (answer != STREAMPOOL_OK) return answer; \
  } while (0)

static struct object* find(uint64_t handle, enum kind kind) {
  for (size_t at = 0; handle != 0 && at < MAX_OBJECTS; ++at) {
    if (my.objects[at].handle == handle && my.objects[at].kind == kind) return &my.objects[at];
  }
  return NULL;
}
static struct object* make(enum kind kind) {
  size_t at = 0;
  while (at < MAX_OBJECTS && my.objects[at].handle != 0) ++at;
  if (at == MAX_OBJECTS) return NULL;
  my.objects[at] = (struct object){.handle = ++my.last_handle, .kind = kind};
  return &my.objects[at];
}
static struct object* live_pool(uint64_t handle) {
  struct object* pool = find(handle, POOL);
  return pool != NULL && !pool->pool.destroyed ? pool : NULL;
}
static status no_memory(void) { return refuse(STREAMPOOL_OUT_OF_MEMORY, "out of memory"); }
static status is_alive(uint64_t handle, enum kind kind) {
  static const char* const texts[] = {"no such stream", "no such event", "no such pool"};
  const bool alive = kind == POOL ? live_pool(handle) != NULL : find(handle, kind) != NULL;
  return alive ? STREAMPOOL_OK : refuse(STREAMPOOL_INVALID_HANDLE, texts[kind]);
}
static status is_device(uint32_t device) {
  return device == 0 ? STREAMPOOL_OK : refuse(STREAMPOOL_INVALID_VALUE, "there is one device, 0");
}

/* ---- memory: granules ---- */

static uint64_t round_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

/* Statistics move together with their watermark, so a watermark is never below its value. */
static void count(struct pool_state* pool, int current, int64_t by) {
  pool->value[current] += (uint64_t)by;
  if (pool->value[current + 1] < pool->value[current]) pool->value[current + 1] = pool->value[current];
}

static bool granule_is_idle(uint64_t granule) {
  const uint64_t units = my.granule / UNIT;
  for (uint64_t at = granule * units; at < (granule + 1) * units; ++at) {
    if (my.unit_freed_by[at] == LIVE) return false;
  }
  return true;
}

/* Gives idle granules back until no more than `keep` would be kept. Called only where the specification lets reserved
 * memory fall: synchronising calls, trim, destruction, and a malloc that would not fit otherwise. */
static void release_down_to(struct object* pool, uint64_t keep) {
  for (uint64_t at = my.space / my.granule; at-- > 0;) {
    const uint64_t reserved = pool->pool.value[STREAMPOOL_RESERVED_MEM_CURRENT];
    if (reserved < keep || reserved - keep < my.granule) return;
    if (my.granule_owner[at] != pool->handle || !granule_is_idle(at)) continue;
    my.granule_owner[at] = 0;
    madvise(my.base + at * my.granule, my.granule, MADV_DONTNEED);
    memset(my.unit_freed_by + at * (my.granule / UNIT), 0, my.granule / UNIT * sizeof *my.unit_freed_by);
    count(&pool->pool, STREAMPOOL_RESERVED_MEM_CURRENT, -(int64_t)my.granule);
    my.reserved -= my.granule;
  }
}
static void release_to_thresholds(void) {
  for (size_t at = 0; at < MAX_OBJECTS; ++at) {
    struct object* pool = &my.objects[at];
    if (pool->handle != 0 && pool->kind == POOL) release_down_to(pool, pool->pool.value[STREAMPOOL_RELEASE_THRESHOLD]);
  }
}

/* The first run of `granules` unbacked granules, going forward, or UINT64_MAX. */
static uint64_t unbacked_run(uint64_t granules) {
  const uint64_t all = my.space / my.granule;
  if (my.next_granule + granules > all) my.next_granule = 0;
  uint64_t run = 0;
  for (uint64_t at = my.next_granule; at < all; ++at) {
    run = my.granule_owner[at] == 0 ? run + 1 : 0;
    if (run < granules) continue;
    my.next_granule = at + 1;
    return at + 1 - granules;
  }
  return UINT64_MAX;
}
/* ---- memory: blocks ---- */

static void mark(uint64_t offset, uint64_t bytes, uint32_t with) {
  for (uint64_t at = offset / UNIT; at < (offset + round_up(bytes, UNIT)) / UNIT; ++at) my.unit_freed_by[at] = with;
}

/* The reuse rule. All work is done by now, so a free of any stream has completed: taking its memory is opportunistic
 * reuse and needs the pool's switch. Without the switch only memory that this stream freed itself, or that was never
 * freed since it is backed, may be taken. */
static bool may_take(const struct pool_state* pool, uint64_t unit, uint64_t stream) {
  const uint32_t freed_by = my.unit_freed_by[unit];
  if (freed_by == LIVE) return false;
  return freed_by == 0 || freed_by == stream || pool->value[STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC] != 0;
}
/* First fit in what the pool has: an offset, or UINT64_MAX. */
static uint64_t first_fit(const struct object* pool, uint64_t bytes, uint64_t stream) {
  const uint64_t per_granule = my.granule / UNIT, needed = round_up(bytes, UNIT) / UNIT;
  uint64_t run = 0;
  for (uint64_t granule = 0; granule < my.space / my.granule; ++granule) {
    if (my.granule_owner[granule] != pool->handle) {
      run = 0;
      continue;
    }
    for (uint64_t at = granule * per_granule; at < (granule + 1) * per_granule; ++at) {
      run = may_take(&pool->pool, at, stream) ? run + 1 : 0;
      if (run == needed) return (at + 1 - needed) * UNIT;
    }
  }
  return UINT64_MAX;
}
/* More memory for the pool: an offset, or UINT64_MAX. Idle granules of the pool go back first where it must be. */
static uint64_t grow(struct object* pool, uint64_t bytes) {
  const uint64_t more = round_up(bytes, my.granule);
  for (int after_release = 0; after_release <= 1; ++after_release) {
    const uint64_t reserved = pool->pool.value[STREAMPOOL_RESERVED_MEM_CURRENT];
    const bool fits = reserved + more <= pool->pool.max_size && my.reserved + more <= my.memory;
    const uint64_t first = fits ? unbacked_run(more / my.granule) : UINT64_MAX;
    if (first != UINT64_MAX) {
      for (uint64_t at = first; at < first + more / my.granule; ++at) my.granule_owner[at] = pool->handle;
      count(&pool->pool, STREAMPOOL_RESERVED_MEM_CURRENT, (int64_t)more);
      my.reserved += more;
      return first * my.granule;
    }
    release_down_to(pool, 0);
  }
  return UINT64_MAX;
}

static status allocate(streampool_address* out, uint64_t bytes, struct object* pool, streampool_stream stream) {
  if (out == NULL) return refuse(STREAMPOOL_INVALID_VALUE, "no place for the address");
  REQUIRE(pool == NULL ? is_alive(0, POOL) : is_alive(stream, STREAM));
  *out = 0; /* also what a failure and a request of no bytes leave */
  if (bytes == 0) return STREAMPOOL_OK;
  if (bytes > my.memory) return no_memory();
  uint64_t offset = first_fit(pool, bytes, stream);
  if (offset == UINT64_MAX) offset = grow(pool, bytes);
  const uint64_t address = (uint64_t)(uintptr_t)my.base + offset;
  if (offset == UINT64_MAX || my.block_count == MAX_BLOCKS) return no_memory();
  my.blocks[my.block_count++] = (struct block){address, bytes, pool->handle};
  mark(offset, bytes, LIVE);
  pool->pool.blocks += 1;
  count(&pool->pool, STREAMPOOL_USED_MEM_CURRENT, (int64_t)bytes);
  *out = address;
  return STREAMPOOL_OK;
}
static void drop_pool_if_done(struct object* pool) {
  if (!pool->pool.destroyed) return;
  release_down_to(pool, 0);
  if (pool->pool.blocks == 0) pool->handle = 0;
}
/* `stream` 0: a synchronous free, which leaves the memory to every stream. Only a block's own address frees it, and
 * only once: it is looked up among the live ones. */
static status release(streampool_address address, uint32_t stream) {
  if (address == 0) return STREAMPOOL_OK;
  size_t at = 0;
  while (at < my.block_count && my.blocks[at].address != address) ++at;
  if (at == my.block_count) return refuse(STREAMPOOL_INVALID_VALUE, "no live allocation begins there");
  const struct block block = my.blocks[at];
  my.blocks[at] = my.blocks[--my.block_count];
  const uint64_t offset = address - (uint64_t)(uintptr_t)my.base;
  mark(offset, block.bytes, stream);
  struct object* pool = find(block.pool, POOL);
  pool->pool.blocks -= 1;
  count(&pool->pool, STREAMPOOL_USED_MEM_CURRENT, -(int64_t)block.bytes);
  drop_pool_if_done(pool);
  return STREAMPOOL_OK;
}

/* ---- context ---- */

static struct object* new_pool(uint64_t max_size) {
  struct object* pool = make(POOL);
  if (pool == NULL) return NULL;
  pool->pool.max_size = max_size == 0 || max_size > my.memory ? UINT64_MAX : round_up(max_size, my.granule);
  for (int id = STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES; id <= STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES; ++id) {
    pool->pool.value[id] = 1;
  }
  return pool;
}

static status read_options(const streampool_option* options, size_t option_count) {
  my.memory = (uint64_t)1 << 30;
  my.granule = (uint64_t)2 << 20;
  for (size_t at = 0; at < option_count; ++at) {
    const char* key = options[at].key;
    char* rest = NULL;
    const uint64_t number = strtoull(options[at].value, &rest, 10);
    const bool whole = rest != options[at].value && *rest == '\0';
    if (strcmp(key, "seed") == 0) continue; /* nothing is random here */
    if (strcmp(key, "memory") == 0 && whole && number >= 1) {
      my.memory = number;
    } else if (strcmp(key, "granularity") == 0 && whole && number >= 4096 && (number & (number - 1)) == 0) {
      my.granule = number;
    } else if (strcmp(key, "device") != 0 || !whole || number != 0) {
      return refuse(STREAMPOOL_INVALID_VALUE, "an option is unknown or out of range");
    }
  }
  return STREAMPOOL_OK;
}
static uint64_t mapped_bytes(void) {
  return my.space + my.space / UNIT * sizeof *my.unit_freed_by + my.space / my.granule * sizeof *my.granule_owner;
}
static status my_open(const streampool_option* options, size_t option_count, streampool_context* context) {
  pthread_mutex_lock(&lock);
  __attribute__((cleanup(unlock), unused)) bool held = true;
  if (my.context != 0) return refuse(STREAMPOOL_NOT_PERMITTED, "one context at a time");
  REQUIRE(read_options(options, option_count));
  my.space = round_up(my.memory, my.granule) * 16;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  my.base = mmap(NULL, mapped_bytes(), PROT_READ | PROT_WRITE, flags, -1, 0);
  if (my.base == MAP_FAILED) return no_memory();
  my.granule_owner = (uint64_t*)(void*)(my.base + my.space);
  my.unit_freed_by = (uint32_t*)(void*)(my.granule_owner + my.space / my.granule);
  my.legacy = make(STREAM)->handle;
  my.default_pool = my.current_pool = new_pool(0)->handle;
  *context = my.context = ++my.last_handle;
  return STREAMPOOL_OK;
}
static status my_close(streampool_context context) {
  ENTER(context);
  munmap(my.base, mapped_bytes());
  const uint64_t last_handle = my.last_handle; /* handles are never given twice, not in a later context either */
  memset(&my, 0, sizeof my);
  my.last_handle = last_handle;
  return STREAMPOOL_OK;
}
static status describe(streampool_context context, streampool_description* description) {
  ENTER(context);
  if (description->size < sizeof *description) return refuse(STREAMPOOL_INVALID_VALUE, "too small a description");
  *description = (streampool_description){.size = sizeof *description,
                                          .device_count = 1,
                                          .name = "my runtime",
                                          .version = "1.0",
                                          .memory = my.memory,
                                          .alignment = UNIT,
                                          .reserve_granule = my.granule};
  return STREAMPOOL_OK;
}
static uint64_t capabilities_of(streampool_context context) { return context == my.context ? CAPABILITIES : 0; }
static status last_error(streampool_context context, int64_t* code, char* text, size_t capacity) {
  (void)context; /* works without one: `open` may have failed */
  if (code != NULL) *code = newest_error.code;
  if (text != NULL && capacity > 0) snprintf(text, capacity, "%s", newest_error.text);
  return STREAMPOOL_OK;
}

/* ---- stream, event, device ----
 * Nothing is ever pending: waiting returns at once, a query says complete, an event is complete as soon as it is
 * recorded. What is left of a synchronising call is its release of idle memory. */

static status create(uint32_t device, enum kind kind, uint64_t* handle) {
  REQUIRE(is_device(device));
  const struct object* made = make(kind);
  if (made == NULL) return no_memory();
  *handle = made->handle;
  return STREAMPOOL_OK;
}
static status destroy(uint64_t handle, enum kind kind) {
  REQUIRE(is_alive(handle, kind));
  find(handle, kind)->handle = 0;
  return STREAMPOOL_OK;
}
/* What a synchronising call does once its arguments are found good. */
static status synchronised(status answer) {
  if (answer == STREAMPOOL_OK) release_to_thresholds();
  return answer;
}
static status stream_create(streampool_context context, uint32_t device, uint32_t kind, streampool_stream* stream) {
  ENTER(context);
  (void)kind; /* blocking or not: the legacy stream is idle, too */
  return create(device, STREAM, stream);
}
static status stream_destroy(streampool_context context, streampool_stream stream) {
  ENTER(context);
  return destroy(stream, STREAM);
}
static status stream_default(streampool_context context, uint32_t device, uint32_t kind, streampool_stream* stream) {
  ENTER(context);
  if (device != 0 || kind > STREAMPOOL_DEFAULT_PER_THREAD) return refuse(STREAMPOOL_INVALID_VALUE, "no such stream");
  if (kind == STREAMPOOL_DEFAULT_PER_THREAD && own_stream.context != my.context) {
    REQUIRE(create(device, STREAM, &own_stream.stream));
    own_stream.context = my.context;
  }
  *stream = kind == STREAMPOOL_DEFAULT_LEGACY ? my.legacy : own_stream.stream;
  return STREAMPOOL_OK;
}
static status stream_synchronize(streampool_context context, streampool_stream stream) {
  ENTER(context);
  return synchronised(is_alive(stream, STREAM));
}
static status stream_query(streampool_context context, streampool_stream stream) {
  ENTER(context);
  return is_alive(stream, STREAM);
}
static status event_create(streampool_context context, uint32_t device, streampool_event* event) {
  ENTER(context);
  return create(device, EVENT, event);
}
static status event_destroy(streampool_context context, streampool_event event) {
  ENTER(context);
  return destroy(event, EVENT);
}
static status event_record(streampool_context context, streampool_event event, streampool_stream stream) {
  ENTER(context);
  REQUIRE(is_alive(stream, STREAM));
  return is_alive(event, EVENT);
}
static status stream_wait_event(streampool_context context, streampool_stream stream, streampool_event event) {
  return event_record(context, event, stream); /* both only look whether they could do something */
}
static status event_synchronize(streampool_context context, streampool_event event) {
  ENTER(context);
  return synchronised(is_alive(event, EVENT));
}
static status event_query(streampool_context context, streampool_event event) {
  ENTER(context);
  return is_alive(event, EVENT);
}
static status device_synchronize(streampool_context context, uint32_t device) {
  ENTER(context);
  return synchronised(is_device(device));
}
static status memory_info(streampool_context context, uint32_t device, uint64_t* free_bytes, uint64_t* total_bytes) {
  ENTER(context);
  REQUIRE(is_device(device));
  *free_bytes = my.memory - my.reserved;
  *total_bytes = my.memory;
  return STREAMPOOL_OK;
}

/* ---- pool ---- */

static status pool_create(streampool_context context, uint32_t device, uint64_t max_size, streampool_pool* pool) {
  ENTER(context);
  REQUIRE(is_device(device));
  const struct object* made = new_pool(max_size);
  if (made == NULL) return no_memory();
  *pool = made->handle;
  return STREAMPOOL_OK;
}
static status pool_destroy(streampool_context context, streampool_pool handle) {
  ENTER(context);
  REQUIRE(is_alive(handle, POOL));
  if (handle == my.default_pool) return refuse(STREAMPOOL_INVALID_VALUE, "the default pool stays");
  if (handle == my.current_pool) my.current_pool = my.default_pool;
  struct object* pool = find(handle, POOL);
  pool->pool.destroyed = true;
  drop_pool_if_done(pool);
  return STREAMPOOL_OK;
}
static status pool_default(streampool_context context, uint32_t device, streampool_pool* pool) {
  ENTER(context);
  REQUIRE(is_device(device));
  *pool = my.default_pool;
  return STREAMPOOL_OK;
}
static status pool_get_current(streampool_context context, uint32_t device, streampool_pool* pool) {
  ENTER(context);
  REQUIRE(is_device(device));
  *pool = my.current_pool;
  return STREAMPOOL_OK;
}
static status pool_set_current(streampool_context context, uint32_t device, streampool_pool pool) {
  ENTER(context);
  REQUIRE(is_device(device));
  REQUIRE(is_alive(pool, POOL));
  my.current_pool = pool;
  return STREAMPOOL_OK;
}
static status pool_trim(streampool_context context, streampool_pool pool, uint64_t keep_bytes) {
  ENTER(context);
  REQUIRE(is_alive(pool, POOL));
  release_down_to(find(pool, POOL), keep_bytes);
  return STREAMPOOL_OK;
}

/* ---- attribute ---- */

static size_t width_of(int32_t attribute) {
  return attribute <= STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES ? sizeof(int32_t) : sizeof(uint64_t);
}
static status access(streampool_pool pool, int32_t attribute, const void* value, size_t width) {
  REQUIRE(is_alive(pool, POOL));
  if (attribute < STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES || attribute > STREAMPOOL_USED_MEM_HIGH) {
    return refuse(STREAMPOOL_INVALID_VALUE, "no such attribute");
  }
  if (value == NULL || width < width_of(attribute)) return refuse(STREAMPOOL_INVALID_VALUE, "no value, or too narrow");
  return STREAMPOOL_OK;
}
static status attribute_get(streampool_context context, streampool_pool pool, int32_t id, void* value, size_t width) {
  ENTER(context);
  REQUIRE(access(pool, id, value, width));
  memcpy(value, &find(pool, POOL)->pool.value[id], width_of(id)); /* exactly the attribute's own width */
  return STREAMPOOL_OK;
}
static status attribute_set(streampool_context context, streampool_pool pool, int32_t id, const void* value,
                            size_t width) {
  ENTER(context);
  REQUIRE(access(pool, id, value, width));
  uint64_t* now = find(pool, POOL)->pool.value;
  uint64_t wanted = 0;
  memcpy(&wanted, value, width_of(id));
  switch (id) {
    case STREAMPOOL_RELEASE_THRESHOLD:
      break;
    case STREAMPOOL_RESERVED_MEM_HIGH:
    case STREAMPOOL_USED_MEM_HIGH:
      if (wanted != 0) return refuse(STREAMPOOL_INVALID_VALUE, "a watermark can only be reset, by 0");
      wanted = now[id - 1]; /* it starts again from the current value */
      break;
    case STREAMPOOL_RESERVED_MEM_CURRENT:
    case STREAMPOOL_USED_MEM_CURRENT:
      return refuse(STREAMPOOL_INVALID_VALUE, "the attribute is read only");
    default:
      if (wanted > 1) return refuse(STREAMPOOL_INVALID_VALUE, "a switch is 0 or 1");
  }
  now[id] = wanted;
  return STREAMPOOL_OK;
}

/* ---- memory ---- */

static status malloc_from_pool(streampool_context context, streampool_address* address, uint64_t bytes,
                               streampool_pool pool, streampool_stream stream) {
  ENTER(context);
  return allocate(address, bytes, live_pool(pool), stream);
}
static status malloc_current(streampool_context context, streampool_address* address, uint64_t bytes,
                             streampool_stream stream) {
  ENTER(context);
  return allocate(address, bytes, live_pool(my.current_pool), stream);
}
static status free_async(streampool_context context, streampool_address address, streampool_stream stream) {
  ENTER(context);
  REQUIRE(is_alive(stream, STREAM));
  return release(address, (uint32_t)stream);
}
static status free_sync(streampool_context context, streampool_address address) {
  ENTER(context);
  return release(address, 0);
}
/* ---- probe ----
 * What the kit looks at memory with. A real runtime enqueues; here the bytes move at once. */

static status reach(streampool_stream stream, streampool_address address, uint64_t bytes) {
  const uint64_t offset = address - (uint64_t)(uintptr_t)my.base;
  REQUIRE(is_alive(stream, STREAM));
  if (offset < my.space && bytes <= my.space - offset) return STREAMPOOL_OK;
  return refuse(STREAMPOOL_INVALID_VALUE, "no memory of the device");
}
static status fill(streampool_context context, streampool_stream stream, streampool_address address, uint8_t value,
                   uint64_t bytes) {
  ENTER(context);
  REQUIRE(reach(stream, address, bytes));
  memset((void*)(uintptr_t)address, value, bytes);
  return STREAMPOOL_OK;
}
static status read_back(streampool_context context, streampool_stream stream, streampool_address address,
                        uint64_t bytes, void* host) {
  ENTER(context);
  REQUIRE(reach(stream, address, bytes));
  memcpy(host, (const void*)(uintptr_t)address, bytes);
  return synchronised(STREAMPOOL_OK); /* judged as the synchronisation of an event behind the copy */
}
static status launch(streampool_context context, streampool_stream stream, const streampool_address* addresses,
                     size_t address_count) {
  ENTER(context);
  REQUIRE(is_alive(stream, STREAM));
  for (size_t at = 0; at < address_count; ++at) {
    REQUIRE(reach(stream, addresses[at], 1));
    *(unsigned char*)(uintptr_t)addresses[at] = 0xee;
  }
  return STREAMPOOL_OK;
}

static const streampool_runtime table = {
    .size = sizeof(streampool_runtime),
    .abi_version = STREAMPOOL_ABI_VERSION,
    .capabilities = CAPABILITIES,
    .open = my_open,
    .close = my_close,
    .describe = describe,
    .capabilities_of = capabilities_of,
    .last_error = last_error,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_default = stream_default,
    .stream_synchronize = stream_synchronize,
    .stream_query = stream_query,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .stream_wait_event = stream_wait_event,
    .event_synchronize = event_synchronize,
    .event_query = event_query,
    .device_synchronize = device_synchronize,
    .memory_info = memory_info,
    .pool_create = pool_create,
    .pool_destroy = pool_destroy,
    .pool_default = pool_default,
    .pool_set_current = pool_set_current,
    .pool_get_current = pool_get_current,
    .pool_trim = pool_trim,
    .attribute_get = attribute_get,
    .attribute_set = attribute_set,
    .malloc_from_pool = malloc_from_pool,
    .malloc_current = malloc_current,
    .free_async = free_async,
    .free_sync = free_sync,
    .fill = fill,
    .read = read_back,
    .launch = launch,
};

const streampool_runtime* streampool_runtime_table(void) { return &table; }
