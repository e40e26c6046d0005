#include "conformance/kit/target.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/kit/executor.hpp"
#include "conformance/kit/locate.hpp"
#include "conformance/kit/wrappers.hpp"

namespace streampool::kit {

using Loaded = tl::expected<std::unique_ptr<Target>, LoadError>;

namespace {

Loaded load_shadow(std::string_view both, const RuntimeOptions& options) {
  const std::size_t colon = both.find(':');
  if (colon == std::string_view::npos) {
    return tl::unexpected(LoadError{fmt::format("'shadow:{}' names one runtime; two are needed: shadow:X:Y", both)});
  }
  Loaded first = load_target(both.substr(0, colon), options);
  if (!first) return first;
  Loaded second = load_target(both.substr(colon + 1), options);
  if (!second) return second;
  return shadow(std::move(*first), std::move(*second));
}

}  // namespace

bool Target::is_closed(history::Name gate) const {
  const std::vector<history::Name> closed = closed_gates();
  return std::ranges::find(closed, gate) != closed.end();
}

Loaded load_target(std::string_view specification, const RuntimeOptions& options) {
  constexpr std::string_view trace_prefix = "trace:", shadow_prefix = "shadow:";
  if (specification.starts_with(trace_prefix)) {
    Loaded inner = load_target(specification.substr(trace_prefix.size()), options);
    if (!inner) return inner;
    return trace(std::move(*inner));
  }
  if (specification.starts_with(shadow_prefix)) return load_shadow(specification.substr(shadow_prefix.size()), options);

  RuntimeOptions all = options;
  std::string_view name = specification;
  const std::size_t colon = specification.find(':');
  if (colon != std::string_view::npos && specification.find('/') == std::string_view::npos) {
    name = specification.substr(0, colon);
    all.emplace_back("variant", specification.substr(colon + 1));
  }
  const auto path = locate_runtime(name);
  if (!path) return tl::unexpected(path.error());
  auto runtime = Runtime::load(*path);
  if (!runtime) return tl::unexpected(runtime.error());
  return std::make_unique<Executor>(std::move(*runtime), std::move(all));
}

}  // namespace streampool::kit
