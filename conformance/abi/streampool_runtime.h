/* The runtime ABI: what a stream-ordered memory pool runtime offers to the conformance kit.
 *
 * A runtime is a shared library that exports one function,
 *     const streampool_runtime* streampool_runtime_table(void);
 * The table starts with its size and version and only ever grows at its end. A group that is missing is named by a
 * clear capability bit; its entries may then be null, and the kit answers `not_supported` for them.
 *
 * Rules for every entry
 *   - Plain C types and opaque 64-bit handles. No exception, exit or print crosses this border.
 *   - Sizes and addresses are bytes. Handle 0 is never a live object.
 *   - Any host thread may call any entry at any time, except `close`.
 *   - A status is normalised (below); the runtime's own code and text stay readable through `last_error` until the
 *     same thread's next failing call. NOT_READY is an answer, no failure: it leaves the last error as it is.
 *   - An output is written only where the call says so. The kit fills outputs with a pattern and notes what changed.
 *   - No entry synchronises more than the call of that name does in the runtime's own interface: everything that is
 *     proved complete by an entry is proved in the recorded history too.
 *
 * C11, no other header of this project is needed. */
#ifndef STREAMPOOL_RUNTIME_H
#define STREAMPOOL_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STREAMPOOL_ABI_VERSION 1u

typedef int32_t streampool_status;
enum {
  STREAMPOOL_OK = 0,
  STREAMPOOL_INVALID_VALUE = 1,
  STREAMPOOL_OUT_OF_MEMORY = 2,
  STREAMPOOL_NOT_SUPPORTED = 3,
  STREAMPOOL_NOT_READY = 4,      /* a query found pending work; `step` could not complete an item */
  STREAMPOOL_INVALID_HANDLE = 5,
  STREAMPOOL_NOT_PERMITTED = 6,
  STREAMPOOL_INTERNAL = 7,       /* the runtime's own report of a fault inside it */
  STREAMPOOL_UNKNOWN = 8         /* a native code that has no place in this list */
};

/* Groups of entries. A bit that is set promises every entry of that group. */
enum {
  STREAMPOOL_CAP_STREAM = 1u << 0,          /* stream_create .. stream_query */
  STREAMPOOL_CAP_DEFAULT_STREAMS = 1u << 1, /* stream_default: legacy and per-thread */
  STREAMPOOL_CAP_EVENT = 1u << 2,
  STREAMPOOL_CAP_DEVICE = 1u << 3,          /* device_synchronize */
  STREAMPOOL_CAP_MEMORY_INFO = 1u << 4,
  STREAMPOOL_CAP_POOL = 1u << 5,            /* pool_create, pool_destroy, pool_trim */
  STREAMPOOL_CAP_DEFAULT_POOL = 1u << 6,    /* pool_default, pool_set_current, pool_get_current, malloc_current */
  STREAMPOOL_CAP_ATTRIBUTE = 1u << 7,
  STREAMPOOL_CAP_MEMORY = 1u << 8,          /* malloc_from_pool, free_async */
  STREAMPOOL_CAP_FREE_SYNC = 1u << 9,
  STREAMPOOL_CAP_PLAIN = 1u << 10,          /* plain_malloc, plain_free */
  STREAMPOOL_CAP_PROBE = 1u << 11,          /* fill, read, launch */
  STREAMPOOL_CAP_GATE = 1u << 12,
  STREAMPOOL_CAP_STEP = 1u << 13,           /* no real time: items complete only by `step` or inside a waiting call */
  STREAMPOOL_CAP_FAULT = 1u << 14,          /* fail_next */
  STREAMPOOL_CAP_LIMIT = 1u << 15           /* limit_memory */
};

typedef uint64_t streampool_context;
typedef uint64_t streampool_stream;
typedef uint64_t streampool_event;
typedef uint64_t streampool_pool;
typedef uint64_t streampool_gate;
typedef uint64_t streampool_address; /* 0 is null */

/* Pool attributes: the numbers that CUDA, HIP and Ascend share. */
enum {
  STREAMPOOL_REUSE_FOLLOW_EVENT_DEPENDENCIES = 1,   /* int32 */
  STREAMPOOL_REUSE_ALLOW_OPPORTUNISTIC = 2,         /* int32 */
  STREAMPOOL_REUSE_ALLOW_INTERNAL_DEPENDENCIES = 3, /* int32 */
  STREAMPOOL_RELEASE_THRESHOLD = 4,                 /* uint64, bytes */
  STREAMPOOL_RESERVED_MEM_CURRENT = 5,              /* uint64, bytes, read only */
  STREAMPOOL_RESERVED_MEM_HIGH = 6,                 /* uint64, bytes, may be set to 0 */
  STREAMPOOL_USED_MEM_CURRENT = 7,                  /* uint64, bytes, read only */
  STREAMPOOL_USED_MEM_HIGH = 8                      /* uint64, bytes, may be set to 0 */
};

enum { STREAMPOOL_STREAM_BLOCKING = 0, STREAMPOOL_STREAM_NONBLOCKING = 1 };
enum { STREAMPOOL_DEFAULT_LEGACY = 0, STREAMPOOL_DEFAULT_PER_THREAD = 1 };
enum { STREAMPOOL_FAIL_RESERVE = 0, STREAMPOOL_FAIL_MAP = 1, STREAMPOOL_FAIL_SUBMIT = 2 };

/* One `key=value` of the command line or of a history's preamble. Keys every runtime may meet: "library", "device",
 * "memory" and "granularity" (bytes of device 0, decimal), "seed". Unknown keys are an invalid value. */
typedef struct streampool_option {
  const char* key;
  const char* value;
} streampool_option;

typedef struct streampool_description {
  uint32_t size;             /* set by the caller: sizeof(streampool_description) */
  uint32_t device_count;     /* at least 1 */
  char name[64];             /* zero-terminated; what the runtime calls itself */
  char version[64];          /* zero-terminated; runtime and driver versions as their vendor writes them */
  uint64_t memory;           /* physical bytes of device 0; 0: not known */
  uint64_t alignment;        /* every allocation's address is a multiple of it; 0: not declared */
  uint64_t reserve_granule;  /* reserved memory grows and shrinks in multiples of it; 0: not declared */
} streampool_description;

/* A pending item of a stepped runtime. */
typedef struct streampool_pending {
  streampool_stream stream;
  uint64_t position;         /* counts the stream's submissions from 1 */
  uint32_t ready;            /* 1: `step` on its stream would complete it now */
  uint32_t reserved;
} streampool_pending;

typedef struct streampool_runtime {
  uint32_t size;             /* sizeof(streampool_runtime) as the runtime was compiled */
  uint32_t abi_version;      /* STREAMPOOL_ABI_VERSION as the runtime was compiled */
  uint64_t capabilities;     /* before `open`: what the build may offer; `capabilities_of` tells what is there */

  /* context -------------------------------------------------------------------------------------------------------
   * One context at a time; everything below belongs to one. `open` fails where the device or its library is missing. */
  streampool_status (*open)(const streampool_option* options, size_t option_count, streampool_context* context);
  /* Ends every object that is left, after opening every gate. */
  streampool_status (*close)(streampool_context context);
  streampool_status (*describe)(streampool_context context, streampool_description* description);
  uint64_t (*capabilities_of)(streampool_context context);
  /* The calling thread's newest failure: the native code, and at most `capacity` bytes of zero-terminated text.
   * Works before `open` and after a failed `open` with context 0. */
  streampool_status (*last_error)(streampool_context context, int64_t* code, char* text, size_t capacity);

  /* stream --------------------------------------------------------------------------------------------------------*/
  streampool_status (*stream_create)(streampool_context, uint32_t device, uint32_t kind, streampool_stream* stream);
  streampool_status (*stream_destroy)(streampool_context, streampool_stream);
  /* The device's legacy stream, or the calling thread's own. Never destroyed. */
  streampool_status (*stream_default)(streampool_context, uint32_t device, uint32_t kind, streampool_stream* stream);
  streampool_status (*stream_synchronize)(streampool_context, streampool_stream);
  streampool_status (*stream_query)(streampool_context, streampool_stream); /* OK or NOT_READY */

  /* event ---------------------------------------------------------------------------------------------------------*/
  streampool_status (*event_create)(streampool_context, uint32_t device, streampool_event* event);
  streampool_status (*event_destroy)(streampool_context, streampool_event);
  streampool_status (*event_record)(streampool_context, streampool_event, streampool_stream);
  streampool_status (*stream_wait_event)(streampool_context, streampool_stream, streampool_event);
  streampool_status (*event_synchronize)(streampool_context, streampool_event);
  streampool_status (*event_query)(streampool_context, streampool_event); /* OK or NOT_READY */

  /* device --------------------------------------------------------------------------------------------------------*/
  streampool_status (*device_synchronize)(streampool_context, uint32_t device);
  streampool_status (*memory_info)(streampool_context, uint32_t device, uint64_t* free_bytes, uint64_t* total_bytes);

  /* pool ----------------------------------------------------------------------------------------------------------
   * max_size 0: no limit of the pool's own. */
  streampool_status (*pool_create)(streampool_context, uint32_t device, uint64_t max_size, streampool_pool* pool);
  streampool_status (*pool_destroy)(streampool_context, streampool_pool);
  streampool_status (*pool_default)(streampool_context, uint32_t device, streampool_pool* pool);
  streampool_status (*pool_set_current)(streampool_context, uint32_t device, streampool_pool);
  streampool_status (*pool_get_current)(streampool_context, uint32_t device, streampool_pool* pool);
  streampool_status (*pool_trim)(streampool_context, streampool_pool, uint64_t keep_bytes);

  /* attribute -----------------------------------------------------------------------------------------------------
   * `width` is the caller's buffer: `get` writes exactly the attribute's own width (4 or 8 bytes) and never more than
   * `width`; `set` reads the attribute's own width. A width below the attribute's own is an invalid value. Vendor
   * interfaces that take no width ignore it; the kit always brings room for 8 bytes. */
  streampool_status (*attribute_get)(streampool_context, streampool_pool, int32_t attribute, void* value, size_t width);
  streampool_status (*attribute_set)(streampool_context, streampool_pool, int32_t attribute, const void* value, size_t width);

  /* memory ---------------------------------------------------------------------------------------------------------
   * A successful malloc of more than 0 bytes, and a free_async of a pool's memory, are items of their stream: with what
   * comes before it in the stream, and on a default or blocking stream in others, complete before they are. */
  streampool_status (*malloc_from_pool)(streampool_context, streampool_address*, uint64_t bytes, streampool_pool, streampool_stream);
  /* From the current pool of the stream's device. */
  streampool_status (*malloc_current)(streampool_context, streampool_address*, uint64_t bytes, streampool_stream);
  streampool_status (*free_async)(streampool_context, streampool_address, streampool_stream);
  streampool_status (*free_sync)(streampool_context, streampool_address); /* frees a pool's memory without a stream */
  streampool_status (*plain_malloc)(streampool_context, uint32_t device, streampool_address*, uint64_t bytes);
  streampool_status (*plain_free)(streampool_context, streampool_address);

  /* probe ---------------------------------------------------------------------------------------------------------*/
  /* Enqueue: write `value` into `bytes` bytes. */
  streampool_status (*fill)(streampool_context, streampool_stream, streampool_address, uint8_t value, uint64_t bytes);
  /* Enqueue a copy to the host and return when that item has completed (judged as an event recorded behind it and
   * synchronised on: it waits for no later item). */
  streampool_status (*read)(streampool_context, streampool_stream, streampool_address, uint64_t bytes, void* host);
  /* Enqueue work that touches the named memory; what it leaves there is not specified. */
  streampool_status (*launch)(streampool_context, streampool_stream, const streampool_address*, size_t count);

  /* gate ----------------------------------------------------------------------------------------------------------
   * A gate is the test's own switch. `gate_hold` enqueues an item that completes only once the gate is open. An open
   * gate stays open. Neither holding nor opening may need a free thread of the runtime. */
  streampool_status (*gate_create)(streampool_context, uint32_t device, streampool_gate*);
  streampool_status (*gate_hold)(streampool_context, streampool_stream, streampool_gate);
  streampool_status (*gate_open)(streampool_context, streampool_gate);
  streampool_status (*gate_destroy)(streampool_context, streampool_gate);

  /* step ----------------------------------------------------------------------------------------------------------*/
  /* Lists at most `capacity` pending items; `count` receives how many there are. */
  streampool_status (*step_pending)(streampool_context, streampool_pending*, size_t capacity, size_t* count);
  /* Completes the next item of the stream; NOT_READY where there is none or it waits for something. */
  streampool_status (*step)(streampool_context, streampool_stream);

  /* fault ---------------------------------------------------------------------------------------------------------*/
  /* The nth (from 1) operation of that kind from now on fails once, as running out of memory does. */
  streampool_status (*fail_next)(streampool_context, uint32_t kind, uint64_t nth);
  /* Physical memory of the device is limited to `bytes` from now on; what is reserved already stays. */
  streampool_status (*limit_memory)(streampool_context, uint32_t device, uint64_t bytes);
} streampool_runtime;

/* The one exported symbol. Never null; the same table at each call. */
typedef const streampool_runtime* (*streampool_runtime_table_function)(void);
#define STREAMPOOL_RUNTIME_TABLE_SYMBOL "streampool_runtime_table"

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const streampool_runtime* streampool_runtime_table(void);

#ifdef __cplusplus
}
#endif
#endif
