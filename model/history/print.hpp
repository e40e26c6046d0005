// Lines to text: what the reader takes. Reading what was printed gives the same line, and printing what was read gives
// the same text where that is canonical: one blank between words, no comment, sizes in the largest unit that divides
// them, addresses and handles in hex, other numbers in decimal, the thread `main` and the device not written unless
// given.
#pragma once

#include <span>
#include <string>

#include "model/history/history.hpp"

namespace streampool::history {

// Appends the line without a line end. The names must be those the line was made with.
void print(const Line& line, const NameTable& names, std::string& out);
void print(const Call& call, const NameTable& names, std::string& out);
// `op` says how the values are written.
void print(const Result& result, Op op, const NameTable& names, std::string& out);

[[nodiscard]] std::string print(const Line& line, const NameTable& names);
[[nodiscard]] std::string print(const Call& call, const NameTable& names);
// A whole file, header and line ends included.
[[nodiscard]] std::string print(std::span<const Line> lines, const NameTable& names);

}  // namespace streampool::history
