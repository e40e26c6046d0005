// streampool prove, in a build without the theorems (STREAMPOOL_PROOFS=OFF).
#include "conformance/cli/commands.hpp"

namespace streampool::cli {
namespace {

int run(const Arguments& arguments) {
  return usage_error(arguments,
                     "this streampool was built without the theorems: configure with -DSTREAMPOOL_PROOFS=ON");
}

}  // namespace

const Command prove_command{
    .name = "prove",
    .summary = "Prove the theorems about the rules (not in this build)",
    .example = "  streampool prove\n",
    .options = {},
    .positional = {},
    .exits = "0 all as expected, 1 not, 2 usage error",
    .run = run,
};

}  // namespace streampool::cli
