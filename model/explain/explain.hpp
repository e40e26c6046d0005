// Explain: what the specification permits at a call, and why or why not.
//
// No rule is written here: each possible answer is given to a copy of the monitor, and what it finds (or which clause
// it counts) is the reason. Not thread safe.
#pragma once

#include <string>
#include <vector>

#include "model/history/history.hpp"
#include "model/monitor/monitor.hpp"

namespace streampool::model {

struct ExplainedAnswer {
  std::string answer;  // as on the wire, or in words: "ok 0x10000000 (the range of a)"
  bool permitted = false;
  std::string clause;  // the clause that permits or forbids it, where one does; empty otherwise
  std::string reason;  // whole sentences
};

class Explainer {
 public:
  // `profile` and `names` must outlive the explainer.
  Explainer(const Profile& profile, const history::NameTable& names, Environment environment = {});

  // What may be answered to the call of this line, with everything before it applied. Empty for lines without a call.
  [[nodiscard]] std::vector<ExplainedAnswer> answers(const history::Line& line) const;
  // Moves on. A malloc without a result is taken to have got fresh memory, so that later calls have something to reuse.
  void apply(const history::Line& line);
  // The finding that the lines applied so far came to; nothing after it is explained.
  [[nodiscard]] const std::optional<Finding>& finding() const { return monitor_.verdicts().finding(); }

 private:
  [[nodiscard]] ExplainedAnswer attempt(const history::Line& line, const history::Result& result,
                                        std::string text) const;
  void explain_malloc(const history::Line& line, std::vector<ExplainedAnswer>& answers) const;
  void explain_reading(const history::Line& line, std::vector<ExplainedAnswer>& answers) const;

  const Profile& profile_;
  const history::NameTable& names_;
  Monitor monitor_;
  std::uint64_t lines_ = 0;
  std::uint64_t fresh_;  // an address above all that were seen
};

}  // namespace streampool::model
