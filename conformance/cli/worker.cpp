// streampool worker: the process that has the runtime loaded (kit/worker.hpp). Started by the kit only.
#include "conformance/kit/worker.hpp"

#include "conformance/cli/commands.hpp"
#include "conformance/suites/suite.hpp"

namespace streampool::cli {
namespace {

int run(const Arguments&) { return kit::worker_main(suites::job_kinds()); }

}  // namespace

const Command worker_command{
    .name = "worker",
    .summary = "Part of run: a process that has the runtime loaded",
    .example = "  streampool run --runtime host\n",
    .options = {},
    .run = run,
    .hidden = true,
};

}  // namespace streampool::cli
