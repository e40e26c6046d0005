/* Writes the calls of your own allocator as a history that `streampool judge` reads. One header, C11 or C++, POSIX.
 *
 * Every call is logged in two halves, around the call itself:
 *
 *     uint64_t id = streampool_history_begin_malloc(&history, bytes, pool, stream);
 *     my_status status = my_malloc_async(&address, bytes, pool, stream);
 *     streampool_history_end(&history, id, status == MY_OK ? STREAMPOOL_HISTORY_OK : STREAMPOOL_HISTORY_OUT_OF_MEMORY,
 * address);
 *
 * The order of the halves is what the judge knows of time, so write each as close to the call as you can. Calls of
 * several threads may overlap; a call that overlaps no other becomes one line. Handles and addresses are yours; the
 * writer gives them names, and a handle value that comes again gets a new one. Your host code's own waits (a polled
 * flag, a callback) are not calls of the pool: if your program orders memory by them, log the sync or query that they
 * stand for.
 *
 * A thread that begins after another has ended may get its name, as it may get its pthread identity. A line is held
 * back until it is known whether it overlaps: what a crash cuts off is at most the call it happened in, and what stdio
 * had buffered.
 *
 * Thread safety: all functions may be called by any thread, on one history too; a mutex inside guards it.
 * Errors: an output error or a lack of memory is kept and reported by `close`. A call on a handle that was never logged
 * as created makes `close` report it too (`begin` then answers 0, and `end` ignores 0). */
#ifndef STREAMPOOL_HISTORY_WRITER_H
#define STREAMPOOL_HISTORY_WRITER_H

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The statuses of a history, in the order of streampool_runtime.h's codes where it has them. */
enum {
  STREAMPOOL_HISTORY_OK,
  STREAMPOOL_HISTORY_INVALID_VALUE,
  STREAMPOOL_HISTORY_OUT_OF_MEMORY,
  STREAMPOOL_HISTORY_NOT_SUPPORTED,
  STREAMPOOL_HISTORY_NOT_READY,
  STREAMPOOL_HISTORY_INVALID_HANDLE,
  STREAMPOOL_HISTORY_NOT_PERMITTED,
  STREAMPOOL_HISTORY_INTERNAL,
  STREAMPOOL_HISTORY_UNKNOWN
};

/* Stand for the default streams wherever a stream may stand; for the current pool in malloc. */
#define STREAMPOOL_HISTORY_LEGACY (UINT64_MAX)
#define STREAMPOOL_HISTORY_PER_THREAD (UINT64_MAX - 1)
#define STREAMPOOL_HISTORY_CURRENT (UINT64_MAX)

enum { STREAMPOOL_HISTORY_NO_OUTPUT, STREAMPOOL_HISTORY_ADDRESS, STREAMPOOL_HISTORY_NUMBER, STREAMPOOL_HISTORY_HANDLE };

/* What a handle, an address or a thread is called: one row of an open-addressing table. */
typedef struct streampool_history_name {
  uint64_t key;
  uint64_t number; /* the name is the kind's letter and this */
  char kind;       /* s e p a, t for threads; 0: empty */
} streampool_history_name;

typedef struct streampool_history_open_call {
  uint64_t id; /* 0: a free place */
  uint64_t thread;
  uint64_t number; /* of the name that the call creates */
  char kind;       /* of that name; 0: it creates none */
  int output;
} streampool_history_open_call;

typedef struct streampool_history {
  FILE* file;
  pthread_mutex_t lock;
  streampool_history_name* names;
  size_t name_capacity; /* a power of two */
  size_t name_count;
  streampool_history_open_call* open;
  size_t open_capacity;
  uint64_t last_number;
  uint64_t last_id;
  uint64_t held_id; /* the call whose line is not written yet, because it may still become one line; 0: none */
  char* text;       /* its line */
  size_t text_size, text_capacity;
  int failed; /* see `close` */
} streampool_history;

/* ---- inside -------------------------------------------------------------------------------------------------------
 */

static inline const char* streampool_history_status_text(int status) {
  static const char* const texts[] = {"ok",        "invalid_value",  "out_of_memory", "not_supported",
                                      "not_ready", "invalid_handle", "not_permitted", "internal",
                                      "unknown"};
  const size_t count = sizeof texts / sizeof texts[0];
  return texts[status >= 0 && (size_t)status < count ? (size_t)status : count - 1];
}

/* The row of the key, or the empty row where it belongs. */
static inline streampool_history_name* streampool_history_row(const streampool_history* h, char kind, uint64_t key) {
  const uint64_t hash = (key ^ (uint64_t)kind << 56) * UINT64_C(0x9E3779B97F4A7C15);
  size_t at = (size_t)(hash >> 32) & (h->name_capacity - 1);
  while (h->names[at].kind != 0 && (h->names[at].kind != kind || h->names[at].key != key)) {
    at = (at + 1) & (h->name_capacity - 1);
  }
  return &h->names[at];
}

static inline int streampool_history_grow_names(streampool_history* h) {
  streampool_history_name* const old = h->names;
  const size_t old_capacity = h->name_capacity;
  const size_t capacity = old_capacity == 0 ? 64 : old_capacity * 2;
  streampool_history_name* const fresh = (streampool_history_name*)calloc(capacity, sizeof *fresh);
  if (fresh == NULL) return 0;
  h->names = fresh;
  h->name_capacity = capacity;
  for (size_t i = 0; i < old_capacity; ++i) {
    if (old[i].kind != 0) *streampool_history_row(h, old[i].kind, old[i].key) = old[i];
  }
  free(old);
  return 1;
}

/* From now on the key is called `kind` `number`. */
static inline void streampool_history_bind(streampool_history* h, char kind, uint64_t key, uint64_t number) {
  if ((h->name_count + 1) * 2 > h->name_capacity && !streampool_history_grow_names(h)) {
    h->failed = 1;
    return;
  }
  streampool_history_name* const row = streampool_history_row(h, kind, key);
  if (row->kind == 0) ++h->name_count;
  row->key = key;
  row->number = number;
  row->kind = kind;
}

static inline uint64_t streampool_history_number(const streampool_history* h, char kind, uint64_t key) {
  return h->name_capacity == 0 ? 0 : streampool_history_row(h, kind, key)->number;
}

static inline void streampool_history_put(streampool_history* h, const char* format, ...) {
  va_list arguments;
  for (;;) {
    const size_t room = h->text_capacity - h->text_size;
    va_start(arguments, format);
    const int count = vsnprintf(h->text == NULL ? NULL : h->text + h->text_size, room, format, arguments);
    va_end(arguments);
    if (count < 0) {
      h->failed = 1;
      return;
    }
    if ((size_t)count < room) {
      h->text_size += (size_t)count;
      return;
    }
    const size_t capacity = h->text_capacity * 2 + (size_t)count + 64;
    char* const text = (char*)realloc(h->text, capacity);
    if (text == NULL) {
      h->failed = 1;
      return;
    }
    h->text = text;
    h->text_capacity = capacity;
  }
}

static inline uint64_t streampool_history_this_thread(streampool_history* h) {
  const pthread_t self = pthread_self();
  uint64_t key = 0;
  memcpy(&key, &self, sizeof self < sizeof key ? sizeof self : sizeof key);
  uint64_t number = streampool_history_number(h, 't', key);
  if (number == 0) {
    number = ++h->last_number;
    streampool_history_bind(h, 't', key, number);
  }
  return number;
}

static inline streampool_history_open_call* streampool_history_find_open(streampool_history* h, uint64_t id) {
  for (size_t i = 0; i < h->open_capacity; ++i) {
    if (h->open[i].id == id) return &h->open[i];
  }
  return NULL;
}

static inline streampool_history_open_call* streampool_history_free_place(streampool_history* h) {
  streampool_history_open_call* const place = streampool_history_find_open(h, 0);
  if (place != NULL) return place;
  const size_t capacity = h->open_capacity * 2 + 4;
  streampool_history_open_call* const open = (streampool_history_open_call*)realloc(h->open, capacity * sizeof *open);
  if (open == NULL) return NULL;
  memset(open + h->open_capacity, 0, (capacity - h->open_capacity) * sizeof *open);
  h->open = open;
  h->open_capacity = capacity;
  return streampool_history_find_open(h, 0);
}

/* Writes the line that is held back as the first half of its call. */
static inline void streampool_history_write_held(streampool_history* h) {
  if (h->held_id == 0) return;
  const streampool_history_open_call* const held = streampool_history_find_open(h, h->held_id);
  fprintf(h->file, "[t%" PRIu64 "] call c%" PRIu64 " %s\n", held->thread, held->id, h->text);
  h->held_id = 0;
}

/* One argument of `begin`: a word, a number, or a name of some kind. */
typedef struct streampool_history_argument {
  char kind; /* w: text and number, n: number, s e p a: the name of that key, N: a new name of kind `text[0]` */
  uint64_t key;
  const char* text;
} streampool_history_argument;

static inline int streampool_history_put_argument(streampool_history* h, const streampool_history_argument* argument,
                                                  streampool_history_open_call* call) {
  const uint64_t key = argument->key;
  const char kind = argument->kind;
  if (kind == 'w') {
    streampool_history_put(h, " %s", argument->text);
    return 1;
  }
  if (kind == 'n') {
    streampool_history_put(h, " %s%" PRIu64, argument->text == NULL ? "" : argument->text, key);
    return 1;
  }
  if (kind == 'N') {
    call->kind = argument->text[0];
    call->number = ++h->last_number;
    streampool_history_put(h, " %c%" PRIu64, call->kind, call->number);
    return 1;
  }
  if (kind == 's' && key >= STREAMPOOL_HISTORY_PER_THREAD) {
    streampool_history_put(h, " %s", key == STREAMPOOL_HISTORY_LEGACY ? "legacy" : "per_thread");
    return 1;
  }
  if (kind == 'a' && key == 0) {
    streampool_history_put(h, " null");
    return 1;
  }
  const uint64_t number = streampool_history_number(h, kind, key);
  if (number != 0) {
    streampool_history_put(h, " %c%" PRIu64, kind, number);
    return 1;
  }
  if (kind != 'a') return 0;
  streampool_history_put(h, " @0x%" PRIx64, key);
  return 1;
}

static inline uint64_t streampool_history_begin(streampool_history* h, const char* name, int output, size_t count,
                                                const streampool_history_argument* arguments) {
  uint64_t id = 0;
  pthread_mutex_lock(&h->lock);
  streampool_history_write_held(h);
  streampool_history_open_call* const call = streampool_history_free_place(h);
  if (call != NULL) {
    int known = 1;
    memset(call, 0, sizeof *call);
    call->output = output;
    call->thread = streampool_history_this_thread(h);
    h->text_size = 0;
    streampool_history_put(h, "%s", name);
    for (size_t i = 0; i < count; ++i) known = streampool_history_put_argument(h, &arguments[i], call) && known;
    if (known) id = call->id = h->held_id = ++h->last_id;
  }
  if (id == 0) h->failed = 1;
  pthread_mutex_unlock(&h->lock);
  return id;
}

/* ---- the history --------------------------------------------------------------------------------------------------
 */

/* Opens the file. `profile` names the profile that the history claims, for instance "strict". 0, or -1 with errno. */
static inline int streampool_history_open(streampool_history* h, const char* path, const char* profile) {
  memset(h, 0, sizeof *h);
  h->file = fopen(path, "w");
  if (h->file == NULL) return -1;
  pthread_mutex_init(&h->lock, NULL);
  fprintf(h->file, "streampool-history 1\nprofile %s\n", profile);
  return 0;
}

/* The second half of call `id`. `value`: the address of a malloc, the handle of a created object, the value that
 * pool_get read, the free bytes of memory_info; otherwise ignored. */
static inline void streampool_history_end(streampool_history* h, uint64_t id, int status, uint64_t value) {
  if (id == 0) return;
  pthread_mutex_lock(&h->lock);
  streampool_history_open_call* const call = streampool_history_find_open(h, id);
  if (call == NULL) {
    h->failed = 1;
  } else {
    if (h->held_id == id) {
      fprintf(h->file, "[t%" PRIu64 "] %s -> %s", call->thread, h->text, streampool_history_status_text(status));
      h->held_id = 0;
    } else {
      streampool_history_write_held(h);
      fprintf(h->file, "[t%" PRIu64 "] return c%" PRIu64 " -> %s", call->thread, id,
              streampool_history_status_text(status));
    }
    if (status == STREAMPOOL_HISTORY_OK) {
      if (call->output == STREAMPOOL_HISTORY_ADDRESS && value == 0) fprintf(h->file, " null");
      if (call->output == STREAMPOOL_HISTORY_ADDRESS && value != 0) fprintf(h->file, " 0x%" PRIx64, value);
      if (call->output == STREAMPOOL_HISTORY_NUMBER) fprintf(h->file, " %" PRIu64, value);
      if (call->output == STREAMPOOL_HISTORY_HANDLE) fprintf(h->file, " handle=0x%" PRIx64, value);
      if (call->kind != 0) streampool_history_bind(h, call->kind, value, call->number);
    }
    fputc('\n', h->file);
    call->id = 0;
  }
  pthread_mutex_unlock(&h->lock);
}

/* Writes what is left and closes the file. -1 when anything was lost or not understood on the way. No other call may
 * run. */
static inline int streampool_history_close(streampool_history* h) {
  streampool_history_write_held(h);
  const int failed = h->failed || ferror(h->file) != 0;
  const int closed = fclose(h->file);
  pthread_mutex_destroy(&h->lock);
  free(h->names);
  free(h->open);
  free(h->text);
  memset(h, 0, sizeof *h);
  return failed || closed != 0 ? -1 : 0;
}

/* ---- the calls: `begin` halves, each answering the id for `end`
 * ------------------------------------------------------- */

#define STREAMPOOL_HISTORY_ARGUMENTS(...) const streampool_history_argument arguments[] = {__VA_ARGS__}
#define STREAMPOOL_HISTORY_BEGIN(name, output) \
  return streampool_history_begin(h, name, output, sizeof arguments / sizeof arguments[0], arguments)

static inline uint64_t streampool_history_begin_stream_create(streampool_history* h, int nonblocking) {
  STREAMPOOL_HISTORY_ARGUMENTS({'N', 0, "s"}, {'w', 0, nonblocking ? "nonblocking" : "blocking"});
  STREAMPOOL_HISTORY_BEGIN("stream_create", STREAMPOOL_HISTORY_HANDLE);
}
static inline uint64_t streampool_history_begin_stream_destroy(streampool_history* h, uint64_t stream) {
  STREAMPOOL_HISTORY_ARGUMENTS({'s', stream, NULL});
  STREAMPOOL_HISTORY_BEGIN("stream_destroy", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_stream_sync(streampool_history* h, uint64_t stream) {
  STREAMPOOL_HISTORY_ARGUMENTS({'s', stream, NULL});
  STREAMPOOL_HISTORY_BEGIN("stream_sync", STREAMPOOL_HISTORY_NO_OUTPUT);
}
/* End with STREAMPOOL_HISTORY_OK or STREAMPOOL_HISTORY_NOT_READY. */
static inline uint64_t streampool_history_begin_stream_query(streampool_history* h, uint64_t stream) {
  STREAMPOOL_HISTORY_ARGUMENTS({'s', stream, NULL});
  STREAMPOOL_HISTORY_BEGIN("stream_query", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_device_sync(streampool_history* h) {
  return streampool_history_begin(h, "device_sync", STREAMPOOL_HISTORY_NO_OUTPUT, 0, NULL);
}

static inline uint64_t streampool_history_begin_event_create(streampool_history* h) {
  STREAMPOOL_HISTORY_ARGUMENTS({'N', 0, "e"});
  STREAMPOOL_HISTORY_BEGIN("event_create", STREAMPOOL_HISTORY_HANDLE);
}
static inline uint64_t streampool_history_begin_event_destroy(streampool_history* h, uint64_t event) {
  STREAMPOOL_HISTORY_ARGUMENTS({'e', event, NULL});
  STREAMPOOL_HISTORY_BEGIN("event_destroy", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_event_record(streampool_history* h, uint64_t event, uint64_t stream) {
  STREAMPOOL_HISTORY_ARGUMENTS({'e', event, NULL}, {'s', stream, NULL});
  STREAMPOOL_HISTORY_BEGIN("event_record", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_stream_wait_event(streampool_history* h, uint64_t stream,
                                                                  uint64_t event) {
  STREAMPOOL_HISTORY_ARGUMENTS({'s', stream, NULL}, {'e', event, NULL});
  STREAMPOOL_HISTORY_BEGIN("stream_wait_event", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_event_sync(streampool_history* h, uint64_t event) {
  STREAMPOOL_HISTORY_ARGUMENTS({'e', event, NULL});
  STREAMPOOL_HISTORY_BEGIN("event_sync", STREAMPOOL_HISTORY_NO_OUTPUT);
}
/* End with STREAMPOOL_HISTORY_OK or STREAMPOOL_HISTORY_NOT_READY. */
static inline uint64_t streampool_history_begin_event_query(streampool_history* h, uint64_t event) {
  STREAMPOOL_HISTORY_ARGUMENTS({'e', event, NULL});
  STREAMPOOL_HISTORY_BEGIN("event_query", STREAMPOOL_HISTORY_NO_OUTPUT);
}

/* `max_size` in bytes, 0: no limit of the pool's own. */
static inline uint64_t streampool_history_begin_pool_create(streampool_history* h, uint64_t max_size) {
  STREAMPOOL_HISTORY_ARGUMENTS({'N', 0, "p"}, {'n', max_size, "max_size="});
  STREAMPOOL_HISTORY_BEGIN("pool_create", STREAMPOOL_HISTORY_HANDLE);
}
/* Log it once: each time gives the default pool one more name. */
static inline uint64_t streampool_history_begin_pool_default(streampool_history* h) {
  STREAMPOOL_HISTORY_ARGUMENTS({'N', 0, "p"});
  STREAMPOOL_HISTORY_BEGIN("pool_default", STREAMPOOL_HISTORY_HANDLE);
}
static inline uint64_t streampool_history_begin_pool_destroy(streampool_history* h, uint64_t pool) {
  STREAMPOOL_HISTORY_ARGUMENTS({'p', pool, NULL});
  STREAMPOOL_HISTORY_BEGIN("pool_destroy", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_pool_trim(streampool_history* h, uint64_t pool, uint64_t keep_bytes) {
  STREAMPOOL_HISTORY_ARGUMENTS({'p', pool, NULL}, {'n', keep_bytes, NULL});
  STREAMPOOL_HISTORY_BEGIN("pool_trim", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_pool_set_current(streampool_history* h, uint64_t pool) {
  STREAMPOOL_HISTORY_ARGUMENTS({'p', pool, NULL});
  STREAMPOOL_HISTORY_BEGIN("pool_set_current", STREAMPOOL_HISTORY_NO_OUTPUT);
}
/* Attributes are the numbers of streampool_runtime.h, which CUDA, HIP and Ascend share. */
static inline uint64_t streampool_history_begin_pool_set(streampool_history* h, uint64_t pool, uint64_t attribute,
                                                         uint64_t value) {
  STREAMPOOL_HISTORY_ARGUMENTS({'p', pool, NULL}, {'n', attribute, "attr:"}, {'n', value, NULL});
  STREAMPOOL_HISTORY_BEGIN("pool_set", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_pool_get(streampool_history* h, uint64_t pool, uint64_t attribute) {
  STREAMPOOL_HISTORY_ARGUMENTS({'p', pool, NULL}, {'n', attribute, "attr:"});
  STREAMPOOL_HISTORY_BEGIN("pool_get", STREAMPOOL_HISTORY_NUMBER);
}

/* `pool` may be STREAMPOOL_HISTORY_CURRENT. */
static inline uint64_t streampool_history_begin_malloc(streampool_history* h, uint64_t bytes, uint64_t pool,
                                                       uint64_t stream) {
  const int current = pool == STREAMPOOL_HISTORY_CURRENT;
  STREAMPOOL_HISTORY_ARGUMENTS({'N', 0, "a"}, {'n', bytes, NULL}, {current ? 'w' : 'p', pool, "current"},
                               {'s', stream, NULL});
  STREAMPOOL_HISTORY_BEGIN("malloc", STREAMPOOL_HISTORY_ADDRESS);
}
static inline uint64_t streampool_history_begin_free(streampool_history* h, uint64_t address, uint64_t stream) {
  STREAMPOOL_HISTORY_ARGUMENTS({'a', address, NULL}, {'s', stream, NULL});
  STREAMPOOL_HISTORY_BEGIN("free", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_free_sync(streampool_history* h, uint64_t address) {
  STREAMPOOL_HISTORY_ARGUMENTS({'a', address, NULL});
  STREAMPOOL_HISTORY_BEGIN("free_sync", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_plain_malloc(streampool_history* h, uint64_t bytes) {
  STREAMPOOL_HISTORY_ARGUMENTS({'N', 0, "a"}, {'n', bytes, NULL});
  STREAMPOOL_HISTORY_BEGIN("plain_malloc", STREAMPOOL_HISTORY_ADDRESS);
}
static inline uint64_t streampool_history_begin_plain_free(streampool_history* h, uint64_t address) {
  STREAMPOOL_HISTORY_ARGUMENTS({'a', address, NULL});
  STREAMPOOL_HISTORY_BEGIN("plain_free", STREAMPOOL_HISTORY_NO_OUTPUT);
}
/* Work on a stream (a kernel, a copy) that touches one block. For more blocks log one launch each, in any order. */
static inline uint64_t streampool_history_begin_launch(streampool_history* h, uint64_t stream, uint64_t address) {
  STREAMPOOL_HISTORY_ARGUMENTS({'s', stream, NULL}, {'a', address, NULL});
  STREAMPOOL_HISTORY_BEGIN("launch", STREAMPOOL_HISTORY_NO_OUTPUT);
}
static inline uint64_t streampool_history_begin_memory_info(streampool_history* h) {
  return streampool_history_begin(h, "memory_info", STREAMPOOL_HISTORY_NUMBER, 0, NULL);
}

#undef STREAMPOOL_HISTORY_ARGUMENTS
#undef STREAMPOOL_HISTORY_BEGIN

#ifdef __cplusplus
}
#endif
#endif
