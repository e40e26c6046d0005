#!/usr/bin/env python3
"""A runtime for `streampool run --runtime pipe --library ./example_runtime.py`: the pipe protocol in one small file.

It has no device: each item is carried out as its line is read, so no call ever waits and every line can be answered in
turn. Each allocation takes granules of its own and no address is given twice, which makes reuse trivially right: what
is left to show is the protocol, the attributes, release and errors.
"""
import sys

ALIGNMENT, GRANULE, MEMORY = 256, 1 << 16, 1 << 30
THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH = 4, 5, 6, 7, 8
WIDTH = {id: 4 if id <= 3 else 8 for id in range(1, 9)}
# stream, event, device, pool, attribute, memory, free_sync, probe: the bits of the header
CAPABILITIES = sum(1 << bit for bit in (0, 2, 3, 5, 7, 8, 9, 11))


class Refused(Exception):
    def __init__(self, status, code, text, outputs=()):
        self.reply = [status, *outputs, "!", code, text]


def invalid_handle(kind):
    return Refused("invalid_handle", 400, f"no such {kind}")


def invalid_value(text):
    return Refused("invalid_value", 1, text)


class Pool:
    def __init__(self, max_size):
        self.max_size = (max_size + GRANULE - 1) // GRANULE * GRANULE or MEMORY
        self.value = {1: 1, 2: 1, 3: 1, THRESHOLD: 0, RESERVED: 0, RESERVED_HIGH: 0, USED: 0, USED_HIGH: 0}
        self.live, self.destroyed = 0, False

    def count(self, current, by):
        self.value[current] += by
        self.value[current + 1] = max(self.value[current + 1], self.value[current])

    def release(self, keep):
        idle = self.value[RESERVED] - self.live
        granules = max(0, min(idle, self.value[RESERVED] - keep)) // GRANULE
        self.count(RESERVED, -granules * GRANULE)


class Runtime:
    def __init__(self):
        self.streams, self.events, self.pools, self.blocks = set(), set(), {}, {}
        self.last_handle, self.next_address = 0, 1 << 40

    def handle(self):
        self.last_handle += 1
        return self.last_handle

    def stream(self, stream):
        if stream not in self.streams:
            raise invalid_handle("stream")

    def pool(self, handle):
        if handle not in self.pools or self.pools[handle].destroyed:
            raise invalid_handle("pool")
        return self.pools[handle]

    def block(self, address):
        base = next((at for at, block in self.blocks.items() if at <= address < at + len(block[0])), None)
        if base is None:
            raise invalid_value("no live memory there")
        return self.blocks[base][0], address - base

    def synchronised(self):
        for pool in self.pools.values():
            pool.release(pool.value[THRESHOLD])

    # Every method below is one call: words of the request in, outputs out. A refusal is raised.
    def open(self, version, *options):
        for option in options:
            key, value = option.split("=")
            if key not in ("device", "seed") or (key == "device" and value != "0"):
                raise invalid_value(f"option {key} is unknown here")
        return [CAPABILITIES]

    def close(self):
        return []

    def describe(self):
        return [1, "python%20example", "1", MEMORY, ALIGNMENT, GRANULE]

    def stream_create(self, device, kind):
        self.streams.add(stream := self.handle())
        return [stream]

    def stream_destroy(self, stream):
        self.stream(stream)
        self.streams.remove(stream)
        return []

    def stream_synchronize(self, stream):
        self.stream(stream)
        self.synchronised()
        return []

    def stream_query(self, stream):
        self.stream(stream)
        return []

    def event_create(self, device):
        self.events.add(event := self.handle())
        return [event]

    def event(self, event):
        if event not in self.events:
            raise invalid_handle("event")

    def event_destroy(self, event):
        self.event(event)
        self.events.remove(event)
        return []

    def event_record(self, event, stream):
        self.stream(stream)
        self.event(event)
        return []

    def stream_wait_event(self, stream, event):
        return self.event_record(event, stream)

    def event_synchronize(self, event):
        self.event(event)
        self.synchronised()
        return []

    def event_query(self, event):
        self.event(event)
        return []

    def device_synchronize(self, device):
        self.synchronised()
        return []

    def pool_create(self, device, max_size):
        self.pools[pool := self.handle()] = Pool(max_size)
        return [pool]

    def pool_destroy(self, pool):
        self.pool(pool).destroyed = True
        self.pools[pool].release(0)
        return []

    def pool_trim(self, pool, keep_bytes):
        self.pool(pool).release(keep_bytes)
        return []

    def attribute_get(self, pool, attribute, width, value):
        found = self.pool(pool)
        if attribute not in WIDTH or value == "null" or width < WIDTH[attribute]:
            raise invalid_value("no such attribute, or no room for it")
        return ["x" + found.value[attribute].to_bytes(WIDTH[attribute], "little").hex()]

    def attribute_set(self, pool, attribute, width, value):
        found = self.pool(pool)
        if attribute not in WIDTH or value == "null" or width < WIDTH[attribute]:
            raise invalid_value("no such attribute, or no value for it")
        wanted = int.from_bytes(value[: WIDTH[attribute]], "little")
        if attribute in (RESERVED, USED) or (attribute in (RESERVED_HIGH, USED_HIGH) and wanted != 0):
            raise invalid_value("the attribute cannot be set to that")
        if attribute < THRESHOLD and wanted > 1:
            raise invalid_value("a switch is 0 or 1")
        found.value[attribute] = found.value[attribute - 1] if attribute in (RESERVED_HIGH, USED_HIGH) else wanted
        return []

    def malloc_from_pool(self, size, pool, stream):
        found = self.pool(pool)
        self.stream(stream)
        if size == 0:
            return [0]
        needed = (size + GRANULE - 1) // GRANULE * GRANULE
        everywhere = sum(each.value[RESERVED] for each in self.pools.values())
        if everywhere + needed > MEMORY or found.value[RESERVED] + needed > found.max_size:
            before = found.value[RESERVED]
            found.release(0)
            everywhere -= before - found.value[RESERVED]
        if everywhere + needed > MEMORY or found.value[RESERVED] + needed > found.max_size:
            raise Refused("out_of_memory", 2, "the memory is full", [0])
        address, self.next_address = self.next_address, self.next_address + needed
        self.blocks[address] = (bytearray(size), found)
        found.live += needed
        found.count(RESERVED, needed)
        found.count(USED, size)
        return [hex(address)]

    def free_sync(self, address):
        if address == 0:
            return []
        if address not in self.blocks:
            raise invalid_value("no allocation begins there")
        data, pool = self.blocks.pop(address)
        pool.live -= (len(data) + GRANULE - 1) // GRANULE * GRANULE
        pool.count(USED, -len(data))
        if pool.destroyed:
            pool.release(0)
        return []

    def free_async(self, address, stream):
        self.stream(stream)
        return self.free_sync(address)

    def fill(self, stream, address, value, size):
        self.stream(stream)
        data, at = self.block(address)
        data[at : at + size] = bytes([value]) * size
        return []

    def read(self, stream, address, size):
        self.stream(stream)
        data, at = self.block(address)
        self.synchronised()
        return ["x" + data[at : at + size].hex()]

    def launch(self, stream, count, *addresses):
        self.stream(stream)
        for address in addresses:
            data, at = self.block(address)
            data[at] ^= 0xFF
        return []


def word(text):
    if text.startswith("x"):
        return bytes.fromhex(text[1:])
    return int(text) if text.isdecimal() else text


def main():
    for line in sys.stdin:
        id, thread, call, *words = line.split()
        if call == "open":
            runtime = Runtime()
        try:
            reply = ["ok", *getattr(runtime, call)(*map(word, words))]
        except Refused as refused:
            reply = refused.reply
        print(id, *reply, flush=True)


main()
