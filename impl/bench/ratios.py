#!/usr/bin/env python3
"""Runs streampool_pool_bench and prints medians and ratios against the peers of the same run.

usage: ratios.py BUILD_DIR [REPETITIONS]
"""
import collections
import json
import os
import statistics
import subprocess
import sys


def run(program, repetitions):
    # Some packaged mallocs keep thread-local state that must find room when they are opened late.
    env = dict(os.environ, GLIBC_TUNABLES="glibc.rtld.optional_static_tls=32768")
    text = subprocess.run(
        [program, f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.2",
         "--benchmark_enable_random_interleaving=true", "--benchmark_format=json"],
        env=env, stdout=subprocess.PIPE, check=True).stdout
    return json.loads(text)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    report = run(os.path.join(sys.argv[1], "bin", "streampool_pool_bench"), repetitions)
    times, extra = collections.defaultdict(list), {}
    for b in report["benchmarks"]:
        if b.get("run_type") != "iteration" or "error_occurred" in b:
            continue
        times[b["run_name"]].append((b["real_time"], b["cpu_time"]))
        extra[b["run_name"]] = {k: b[k] for k in ("reserved_per_used", "p50", "p99", "p999") if k in b}
    # Real time where the machine is idle; processor time tells the same story on one that is not.
    real = {n: statistics.median(t[0] for t in ts) for n, ts in times.items()}
    cpu = {n: statistics.median(t[1] for t in ts) for n, ts in times.items()}
    context = report["context"]
    print(f"{context['date']}  {context['num_cpus']} x {context['mhz_per_cpu']} MHz  load {context['load_avg']}")
    print(f"{'benchmark':52} {'real ns':>9} {'cpu ns':>9} {'engine / this (cpu)':>20}")
    for name in sorted(real):
        parts = name.split("/")
        engine = "/".join("engine" if i == 2 else p for i, p in enumerate(parts)) if parts[0] == "pairs" else None
        ratio = f"{cpu[engine] / cpu[name]:20.2f}" if engine in cpu and engine != name else " " * 20
        more = "  ".join(f"{k}={v:.4g}" for k, v in extra[name].items())
        print(f"{name:52} {real[name]:9.1f} {cpu[name]:9.1f} {ratio} {more}")


if __name__ == "__main__":
    main()
