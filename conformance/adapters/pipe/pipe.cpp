// The runtime `pipe`: every call of the ABI as a line to a program, for runtimes in another process or language.
// The protocol is described in docs/pipe-protocol.md.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>

#include "conformance/abi/streampool_runtime.h"
#include "conformance/adapters/pipe/channel.hpp"

namespace streampool::pipe {
namespace {

using Status = streampool_status;
using Context = streampool_context;

// --- errors and threads -------------------------------------------------------------------------------------------

thread_local std::int64_t error_code = 0;
thread_local std::string error_text;

// Codes of this side; the program's own are whatever it sends.
enum OwnCode : std::int64_t {
  cannot_start = -1,
  broken_program = -2,
  no_context = -3,
  bad_option = -4,
  host_memory = -5
};

Status refuse(Status status, std::int64_t code, std::string text) {
  error_code = code;
  error_text = std::move(text);
  return status;
}

// Threads are named by small numbers, so that the program can keep default streams apart.
std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> last{0};
  thread_local const std::uint64_t number = ++last;
  return number;
}

// --- one call -----------------------------------------------------------------------------------------------------

// Touched by open and close, which never run beside another call. The program is kept for the next context: a kit opens
// one for every case, and starting an interpreter takes longer than the case.
std::unique_ptr<Channel> the_channel;
std::vector<std::string> the_command;
std::atomic<Context> open_context{0};
std::atomic<std::uint64_t> offered{0};

void add_word(std::string& request, std::uint64_t number) { request += ' ' + std::to_string(number); }
void add_word(std::string& request, const std::string& word) { request += ' ' + word; }

template <class... Words>
Reply ask(const char* call, const Words&... words) {
  std::string request = std::to_string(thread_number()) + ' ' + call;
  (add_word(request, words), ...);
  Reply reply = the_channel->ask(request);
  if (reply.status != STREAMPOOL_OK) refuse(reply.status, reply.code, std::string(call) + ": " + reply.text);
  return reply;
}

Status broken(const char* call) {
  return refuse(STREAMPOOL_INTERNAL, broken_program, std::string(call) + ": the program's reply has the wrong outputs");
}

// The outputs of a reply in turn. A "-", or an output that is not there, was not written by the call.
class Outputs {
 public:
  explicit Outputs(const Reply& reply) : outputs_(reply.outputs) {}
  template <class Number>
  Outputs& number(Number* output) {
    const std::string* word = next();
    if (word == nullptr) return *this;
    const auto value = decode_number(*word);
    good_ = good_ && value && output != nullptr;
    if (good_) *output = static_cast<Number>(*value);
    return *this;
  }
  template <std::size_t Size>
  Outputs& text(char (&output)[Size]) {
    const std::string* word = next();
    if (word == nullptr) return *this;
    const auto value = decode_text(*word);
    good_ = good_ && value;
    if (good_) std::snprintf(output, Size, "%s", value->c_str());
    return *this;
  }
  // At most `room` bytes.
  Outputs& bytes(void* output, std::size_t room) {
    const std::string* word = next();
    if (word == nullptr) return *this;
    const auto value = decode_bytes(*word);
    good_ = good_ && value && output != nullptr && value->size() <= room;
    if (good_) std::memcpy(output, value->data(), value->size());
    return *this;
  }
  // Whether each word was what it had to be, and none is left.
  [[nodiscard]] bool good() const { return good_ && at_ >= outputs_.size(); }

 private:
  const std::string* next() {
    if (at_ >= outputs_.size()) return nullptr;
    const std::string& word = outputs_[at_++];
    return word == "-" ? nullptr : &word;
  }
  const std::vector<std::string>& outputs_;
  std::size_t at_ = 0;
  bool good_ = true;
};

Status no_outputs(const char* call, const Reply& reply) { return Outputs(reply).good() ? reply.status : broken(call); }
template <class Number>
Status one_number(const char* call, const Reply& reply, Number* output) {
  return Outputs(reply).number(output).good() ? reply.status : broken(call);
}

// One entry: refuses another context, keeps exceptions of the standard library on this side of the border.
template <auto Body, class = decltype(Body)>
struct Entry;
template <auto Body, class... Arguments>
struct Entry<Body, Status (*)(Arguments...)> {
  static Status call(Context context, Arguments... arguments) noexcept {
    if (context == 0 || context != open_context) {
      return refuse(STREAMPOOL_INVALID_HANDLE, no_context, "no such context");
    }
    try {
      return Body(arguments...);
    } catch (const std::bad_alloc&) {
      return refuse(STREAMPOOL_OUT_OF_MEMORY, host_memory, "the host is out of memory");
    }
  }
};

// --- calls whose inputs are numbers, and whose outputs are none or one number that is the last parameter ------------

// The call's name travels as a template argument, so that such entries are one line of the table.
struct Name {
  char text[32] = {};
  template <std::size_t Size>
  consteval Name(const char (&name)[Size]) {  // NOLINT(google-explicit-constructor): written as a string in the table
    for (std::size_t at = 0; at < Size; ++at) text[at] = name[at];
  }
};

template <Name name, class... Numbers>
Status plain(Numbers... numbers) {
  return no_outputs(name.text, ask(name.text, static_cast<std::uint64_t>(numbers)...));
}
template <Name name, class... Numbers>
Status create(Numbers... numbers, std::uint64_t* output) {
  return one_number(name.text, ask(name.text, static_cast<std::uint64_t>(numbers)...), output);
}
template <Name name, class... Numbers>
Status allocate(streampool_address* output, Numbers... numbers) {
  return one_number(name.text, ask(name.text, static_cast<std::uint64_t>(numbers)...), output);
}

// --- the others ---------------------------------------------------------------------------------------------------

struct Options {
  std::vector<std::string> command;
  std::string others;  // as words of the request
};

Status read_options(const streampool_option* options, std::size_t count, Options& read) {
  for (std::size_t at = 0; at < count; ++at) {
    const std::string key = options[at].key, value = options[at].value;
    if (key == "command") {
      read.command = {"/bin/sh", "-c", value};
    } else if (key == "library") {
      read.command = {value};
    } else {
      read.others += ' ' + encode_text(key) + '=' + encode_text(value);
    }
  }
  if (!read.command.empty()) return STREAMPOOL_OK;
  return refuse(STREAMPOOL_INVALID_VALUE, bad_option,
                "the program is missing: option library=PATH, or command=TEXT for the shell");
}

Status start(const streampool_option* options, std::size_t count, Context* context) {
  if (open_context != 0) return refuse(STREAMPOOL_NOT_PERMITTED, no_context, "one context at a time");
  Options read;
  if (const Status status = read_options(options, count, read); status != STREAMPOOL_OK) return status;
  const std::string request = std::to_string(STREAMPOOL_ABI_VERSION) + read.others;
  std::uint64_t capabilities = 0;
  Status status = STREAMPOOL_INTERNAL;
  if (the_channel != nullptr && the_command == read.command) {
    status = one_number("open", ask("open", request), &capabilities);
    if (the_channel->broken()) the_channel.reset();  // it ended after its last context, which is its right
  } else {
    the_channel.reset();
  }
  if (the_channel == nullptr) {
    std::string error;
    the_channel = Channel::start(read.command, error);
    if (the_channel == nullptr) return refuse(STREAMPOOL_NOT_SUPPORTED, cannot_start, error);
    the_command = read.command;
    status = one_number("open", ask("open", request), &capabilities);
  }
  if (status != STREAMPOOL_OK) {
    the_channel.reset();
    return status;
  }
  static Context last = 0;
  offered = capabilities;
  *context = ++last;
  open_context = last;
  return STREAMPOOL_OK;
}

Status open(const streampool_option* options, std::size_t count, Context* context) noexcept {
  try {
    return start(options, count, context);
  } catch (const std::bad_alloc&) {
    return refuse(STREAMPOOL_OUT_OF_MEMORY, host_memory, "the host is out of memory");
  }
}

Status close_context() {
  const Status status = no_outputs("close", ask("close"));
  open_context = 0;
  offered = 0;
  if (status != STREAMPOOL_OK) the_channel.reset();
  return status;
}

Status describe(streampool_description* description) {
  if (description == nullptr || description->size < sizeof(streampool_description)) {
    return refuse(STREAMPOOL_INVALID_VALUE, bad_option, "describe: the description is too small");
  }
  const Reply reply = ask("describe");
  if (reply.status != STREAMPOOL_OK) return reply.status;
  *description = {};
  description->size = sizeof(streampool_description);
  Outputs outputs(reply);
  outputs.number(&description->device_count).text(description->name).text(description->version);
  outputs.number(&description->memory).number(&description->alignment).number(&description->reserve_granule);
  return outputs.good() && description->device_count > 0 ? reply.status : broken("describe");
}

std::uint64_t capabilities_of(Context context) { return context != 0 && context == open_context ? offered.load() : 0; }

Status last_error(Context, std::int64_t* code, char* text, std::size_t capacity) {
  if (code != nullptr) *code = error_code;
  if (text != nullptr && capacity > 0) std::snprintf(text, capacity, "%s", error_text.c_str());
  return STREAMPOOL_OK;
}

Status memory_info(std::uint32_t device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
  const Reply reply = ask("memory_info", std::uint64_t{device});
  return Outputs(reply).number(free_bytes).number(total_bytes).good() ? reply.status : broken("memory_info");
}

Status attribute_get(streampool_pool pool, std::int32_t attribute, void* value, std::size_t width) {
  const Reply reply = ask("attribute_get", pool, std::to_string(attribute), std::uint64_t{width},
                          std::string(value == nullptr ? "null" : "value"));
  return Outputs(reply).bytes(value, width).good() ? reply.status : broken("attribute_get");
}

Status attribute_set(streampool_pool pool, std::int32_t attribute, const void* value, std::size_t width) {
  const std::string bytes = value == nullptr ? "null" : encode_bytes({static_cast<const std::uint8_t*>(value), width});
  return no_outputs("attribute_set",
                    ask("attribute_set", pool, std::to_string(attribute), std::uint64_t{width}, bytes));
}

Status read(streampool_stream stream, streampool_address address, std::uint64_t bytes, void* host) {
  const Reply reply = ask("read", stream, address, bytes);
  if (!Outputs(reply).bytes(host, bytes).good()) return broken("read");
  return reply.status;
}

Status launch(streampool_stream stream, const streampool_address* addresses, std::size_t count) {
  std::string words = std::to_string(count);
  for (std::size_t at = 0; at < count; ++at) add_word(words, addresses[at]);
  return no_outputs("launch", ask("launch", stream, words));
}

// Three numbers for each pending item behind the count of all.
Status step_pending(streampool_pending* pending, std::size_t capacity, std::size_t* count) {
  const Reply reply = ask("step_pending", std::uint64_t{capacity});
  Outputs outputs(reply);
  outputs.number(count);
  const std::size_t listed = reply.outputs.empty() ? 0 : (reply.outputs.size() - 1) / 3;
  for (std::size_t at = 0; at < listed && at < capacity; ++at) {
    pending[at] = {};
    outputs.number(&pending[at].stream).number(&pending[at].position).number(&pending[at].ready);
  }
  return outputs.good() ? reply.status : broken("step_pending");
}

// --- the table ----------------------------------------------------------------------------------------------------

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr streampool_runtime table = {
    .size = sizeof(streampool_runtime),
    .abi_version = STREAMPOOL_ABI_VERSION,
    .capabilities = (u64{STREAMPOOL_CAP_LIMIT} << 1) - 1,  // every group; the program says which it has
    .open = open,
    .close = Entry<close_context>::call,
    .describe = Entry<describe>::call,
    .capabilities_of = capabilities_of,
    .last_error = last_error,
    .stream_create = Entry<create<"stream_create", u32, u32>>::call,
    .stream_destroy = Entry<plain<"stream_destroy", u64>>::call,
    .stream_default = Entry<create<"stream_default", u32, u32>>::call,
    .stream_synchronize = Entry<plain<"stream_synchronize", u64>>::call,
    .stream_query = Entry<plain<"stream_query", u64>>::call,
    .event_create = Entry<create<"event_create", u32>>::call,
    .event_destroy = Entry<plain<"event_destroy", u64>>::call,
    .event_record = Entry<plain<"event_record", u64, u64>>::call,
    .stream_wait_event = Entry<plain<"stream_wait_event", u64, u64>>::call,
    .event_synchronize = Entry<plain<"event_synchronize", u64>>::call,
    .event_query = Entry<plain<"event_query", u64>>::call,
    .device_synchronize = Entry<plain<"device_synchronize", u32>>::call,
    .memory_info = Entry<memory_info>::call,
    .pool_create = Entry<create<"pool_create", u32, u64>>::call,
    .pool_destroy = Entry<plain<"pool_destroy", u64>>::call,
    .pool_default = Entry<create<"pool_default", u32>>::call,
    .pool_set_current = Entry<plain<"pool_set_current", u32, u64>>::call,
    .pool_get_current = Entry<create<"pool_get_current", u32>>::call,
    .pool_trim = Entry<plain<"pool_trim", u64, u64>>::call,
    .attribute_get = Entry<attribute_get>::call,
    .attribute_set = Entry<attribute_set>::call,
    .malloc_from_pool = Entry<allocate<"malloc_from_pool", u64, u64, u64>>::call,
    .malloc_current = Entry<allocate<"malloc_current", u64, u64>>::call,
    .free_async = Entry<plain<"free_async", u64, u64>>::call,
    .free_sync = Entry<plain<"free_sync", u64>>::call,
    .plain_malloc =
        [](Context context, u32 device, streampool_address* address, u64 bytes) {
          return Entry<allocate<"plain_malloc", u32, u64>>::call(context, address, device, bytes);
        },
    .plain_free = Entry<plain<"plain_free", u64>>::call,
    .fill = Entry<plain<"fill", u64, u64, std::uint8_t, u64>>::call,
    .read = Entry<read>::call,
    .launch = Entry<launch>::call,
    .gate_create = Entry<create<"gate_create", u32>>::call,
    .gate_hold = Entry<plain<"gate_hold", u64, u64>>::call,
    .gate_open = Entry<plain<"gate_open", u64>>::call,
    .gate_destroy = Entry<plain<"gate_destroy", u64>>::call,
    .step_pending = Entry<step_pending>::call,
    .step = Entry<plain<"step", u64>>::call,
    .fail_next = Entry<plain<"fail_next", u32, u64>>::call,
    .limit_memory = Entry<plain<"limit_memory", u32, u64>>::call,
};

}  // namespace
}  // namespace streampool::pipe

const streampool_runtime* streampool_runtime_table(void) { return &streampool::pipe::table; }
