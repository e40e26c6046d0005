#include "model/profile/diff.hpp"

#include "model/profile/parameters.hpp"
#include "model/profile/text.hpp"

namespace streampool::model {

std::vector<ParameterText> list(const Parameters& parameters) {
  std::vector<ParameterText> result;
  for_each_parameter(parameters, [&result](std::string_view name, std::string_view meaning, const auto& parameter) {
    const bool stated = parameter.mark != Mark::not_stated;
    result.push_back(
        {name, meaning, stated ? to_text(parameter.value) : "-", to_text(parameter.mark), parameter.source});
  });
  return result;
}

std::vector<Difference> diff(const Parameters& first, const Parameters& second) {
  const auto left = list(first);
  const auto right = list(second);
  std::vector<Difference> result;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i].value != right[i].value || left[i].mark != right[i].mark) result.push_back({left[i], right[i]});
  }
  return result;
}

}  // namespace streampool::model
