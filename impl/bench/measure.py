#!/usr/bin/env python3
"""Measures everything that docs/performance.md reports, in one command, and draws the growth curves.

usage: measure.py BUILD_DIR [--repetitions N] [--out DIR] [TRACE.csv...]

Needs an otherwise idle machine for its absolute numbers. Writes into DIR (default: performance-results): report.txt with
medians and the ratios to the peers of the same run, results.json, and one picture for each growth curve. TRACE.csv are
the rows of id,lower,upper,size that google/minimalloc publishes.
"""
import argparse
import collections
import json
import math
import os
import statistics
import subprocess
import sys

# (picture, title, unit of x, series: label and benchmark whose last argument is x)
CURVES = [
    ("growth", "A pair beside the number of live blocks", "live blocks",
     {"engine": "growth/engine/", "lifo twin": "growth/lifo_twin/", "tlsf twin": "growth/tlsf_twin/"}),
    ("streams", "Free, record, wait, allocate beside the number of streams", "streams",
     {"ring": "ring/engine/", "producer and consumer": "producer_consumer/engine/"}),
    ("worst-cases", "Worst cases beside their size", "blocks or streams",
     {"all sizes distinct": "all_sizes_distinct/", "one event for all": "one_event_for_all/",
      "a stream's life": "stream_life/at_once:"}),
]
COUNTERS = ("reserved_per_used", "p50", "p99", "p999", "indices", "granules_a_round", "reserved")


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, **options).stdout


def benchmarks(program, repetitions):
    # Some packaged mallocs keep thread-local state that must find room when they are opened late.
    env = dict(os.environ, GLIBC_TUNABLES="glibc.rtld.optional_static_tls=32768")
    return json.loads(run([program, f"--benchmark_repetitions={repetitions}", "--benchmark_min_time=0.2",
                           "--benchmark_enable_random_interleaving=true", "--benchmark_format=json"], env=env))


def medians(reports):
    seen = collections.defaultdict(lambda: collections.defaultdict(list))
    scale = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
    for report in reports:
        for b in report["benchmarks"]:
            if b.get("run_type") != "iteration" or "error_occurred" in b:
                continue
            unit = scale[b["time_unit"]]
            of = seen[b["run_name"]]
            of["real"].append(b["real_time"] * unit)
            of["cpu"].append(b["cpu_time"] * unit)
            for k in COUNTERS:
                if k in b:
                    of[k].append(b[k])
    return {name: {k: statistics.median(values) for k, values in of.items()} for name, of in seen.items()}


def peer_of(name):
    """The engine's benchmark that a peer's stands beside."""
    parts = name.split("/")
    place = {"pairs": 2, "growth": 1, "tail": 1}.get(parts[0])
    if place is None or parts[place] == "engine":
        return None
    return "/".join("engine" if i == place else part for i, part in enumerate(parts))


def table(results, context):
    # Real time where the machine is idle; processor time tells the same story on one that is not.
    yield f"{context['date']}  {context['num_cpus']} x {context['mhz_per_cpu']} MHz  load {context['load_avg']}"
    yield f"{'benchmark':56} {'real ns':>10} {'cpu ns':>10} {'engine / this (cpu)':>20}"
    for name, r in sorted(results.items()):
        engine = results.get(peer_of(name))
        ratio = f"{engine['cpu'] / r['cpu']:20.2f}" if engine else " " * 20
        more = "  ".join(f"{k}={r[k]:.4g}" for k in COUNTERS if k in r)
        yield f"{name:56} {r['real']:10.1f} {r['cpu']:10.1f} {ratio} {more}"


def points(results, prefix):
    found = [(int(name[len(prefix):]), r["cpu"]) for name, r in results.items()
             if name.startswith(prefix) and name[len(prefix):].isdigit()]
    return sorted(found)


def picture(title, unit, series):
    """An SVG of lines over two logarithmic axes."""
    width, height, left, bottom, top, right = 640, 400, 70, 50, 40, 170
    xs = [x for line in series.values() for x, _ in line]
    ys = [y for line in series.values() for _, y in line]
    x0, x1 = math.floor(math.log10(min(xs))), math.ceil(math.log10(max(xs)))
    y0, y1 = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys)))

    def at(x, y):
        return (left + (math.log10(x) - x0) / max(1, x1 - x0) * (width - left - right),
                height - bottom - (math.log10(y) - y0) / max(1, y1 - y0) * (height - bottom - top))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="22" font-size="14">{title}</text>']
    for e in range(x0, x1 + 1):
        x, y = at(10 ** e, 10 ** y0)
        out.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{x:.0f}" y2="{top}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.0f}" y="{y + 18:.0f}" text-anchor="middle">{10 ** e:,}</text>')
    for e in range(y0, y1 + 1):
        x, y = at(10 ** x0, 10 ** e)
        out.append(f'<line x1="{x:.0f}" y1="{y:.0f}" x2="{width - right}" y2="{y:.0f}" stroke="#ddd"/>')
        out.append(f'<text x="{x - 8:.0f}" y="{y + 4:.0f}" text-anchor="end">{10 ** e:,} ns</text>')
    out.append(f'<text x="{(left + width - right) / 2:.0f}" y="{height - 12}" text-anchor="middle">{unit}</text>')
    for i, (label, line) in enumerate(series.items()):
        colour = ["#0b5fa5", "#c2410c", "#15803d"][i % 3]
        corners = " ".join("{:.1f},{:.1f}".format(*at(x, y)) for x, y in line)
        out.append(f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="2"/>')
        for x, y in line:
            cx, cy = at(x, y)
            out.append(f'<circle cx="{cx:.1f}" cy="{cy:.1f}" r="3" fill="{colour}"/>')
        x, y = at(*line[-1])
        out.append(f'<text x="{x + 8:.0f}" y="{y + 4:.0f}" fill="{colour}">{label}</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build_dir")
    parser.add_argument("traces", nargs="*", metavar="TRACE.csv")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--out", default="performance-results")
    options = parser.parse_intermixed_args()
    programs = os.path.join(options.build_dir, "bin", "streampool_")
    os.makedirs(options.out, exist_ok=True)

    reports = [benchmarks(programs + name, options.repetitions)
               for name in ("pool_bench", "worst_cases_bench", "device_bench")]
    results = medians(reports)
    text = "\n".join(table(results, reports[0]["context"])) + "\n\n"
    text += run([programs + "fragmentation"]).decode() + "\n"
    if options.traces:
        text += run([programs + "fragmentation", *options.traces]).decode()
    sys.stdout.write(text)
    with open(os.path.join(options.out, "report.txt"), "w", encoding="utf-8") as out:
        out.write(text)
    with open(os.path.join(options.out, "results.json"), "w", encoding="utf-8") as out:
        json.dump({"context": reports[0]["context"], "results": results}, out, indent=1)
    for name, title, unit, series in CURVES:
        lines = {label: found for label, prefix in series.items() if len(found := points(results, prefix)) > 1}
        with open(os.path.join(options.out, name + ".svg"), "w", encoding="utf-8") as out:
            out.write(picture(title, unit, lines))


if __name__ == "__main__":
    main()
