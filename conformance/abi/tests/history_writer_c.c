#define SAMPLE_NAME write_sample_as_c
#include "conformance/abi/tests/history_writer_sample.h"
