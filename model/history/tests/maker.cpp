#include "model/history/tests/maker.hpp"

#include <algorithm>
#include <limits>

namespace streampool::history {
namespace {

std::string numbered(char letter, std::uint64_t number) {
  return std::string(1, letter).append(std::to_string(number));
}

}  // namespace

Maker::Maker(std::vector<std::uint32_t> choices) : choices_(std::move(choices)) {}

std::uint64_t Maker::pick(std::uint64_t count) {
  if (used_ < choices_.size()) return choices_[used_++] % count;  // small numbers shrink to the first choice
  // A used-up list goes on with a fixed sequence (splitmix64), so that short lists still make varied histories.
  std::uint64_t mixed = (++used_ + choices_.size()) * 0x9E3779B97F4A7C15u;
  for (const std::uint32_t choice : choices_) mixed += choice;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return (mixed ^ mixed >> 31) % count;
}

std::uint64_t Maker::any_number() {
  constexpr auto top = std::numeric_limits<std::uint64_t>::max();
  const std::array<std::uint64_t, 10> edges{
      0, 1, 255, 256, 1024, 3u << 20, std::uint64_t{1} << 32, 5 * (std::uint64_t{1} << 30), top - 1, top};
  return coin() ? edges[pick(edges.size())] : pick(1u << 20);
}

Name Maker::fresh_name() {
  std::string name = numbered('n', made_++);
  if (coin()) name += "_.-"[pick(3)];
  return names_.intern(name);
}

Name Maker::some_stream() {
  const auto& streams = known(NameKind::stream);
  const std::uint64_t which = pick(streams.size() + 2);
  if (which < 2) return which == 0 ? Name::legacy : Name::per_thread;
  return streams[which - 2];
}

Pointer Maker::some_pointer() {
  Pointer out;
  const std::uint64_t kind = known(NameKind::allocation).empty() ? pick(2) * 2 : pick(3);
  if (kind == 0) return out;
  out.kind = kind == 1 ? Pointer::Kind::named : Pointer::Kind::absolute;
  if (kind == 1) out.name = some(NameKind::allocation);
  out.value = any_number();
  return out;
}

AttributeValue Maker::some_value() {
  AttributeValue out;
  out.kind = static_cast<AttributeValue::Kind>(pick(4));
  if (out.kind == AttributeValue::Kind::integer) out.integer = any_number();
  if (out.kind == AttributeValue::Kind::max) out.integer = std::numeric_limits<std::uint64_t>::max();
  if (out.kind == AttributeValue::Kind::raw) {
    out.raw.resize(1 + pick(12));
    for (auto& byte : out.raw) byte = static_cast<std::uint8_t>(pick(256));
  }
  return out;
}

Attribute Maker::some_attribute() { return static_cast<Attribute>(coin() ? 1 + pick(8) : any_number()); }

std::optional<Device> Maker::some_device() {
  if (coin()) return std::nullopt;
  return static_cast<Device>(pick(2));
}

bool Maker::possible(const Signature& shape) {
  return std::all_of(shape.parameters().begin(), shape.parameters().end(), [this](const Parameter& parameter) {
    if (parameter.use == Use::defines || parameter.use == Use::plain) return true;
    if (parameter.field == Field::stream || parameter.field == Field::pool_or_current) return true;
    if (parameter.field == Field::pointer || parameter.field == Field::pointers) return true;
    return !known(*name_kind(parameter.field)).empty();
  });
}

void Maker::fill_in(const Parameter& parameter, Call& call) {
  if (parameter.use == Use::defines) {
    *name_in(call, parameter.field) = fresh_name();
    return;
  }
  const bool given = parameter.required || coin();
  switch (parameter.field) {
    case Field::stream:
      call.stream = some_stream();
      return;
    case Field::pool_or_current:
      if (!known(NameKind::pool).empty() && coin()) call.pool = some(NameKind::pool);
      return;
    case Field::pointer:
      call.pointer = some_pointer();
      return;
    case Field::pointers:
      for (std::uint64_t left = pick(4); left > 0; --left) call.pointers.push_back(some_pointer());
      return;
    case Field::device:
      call.device = parameter.required ? static_cast<Device>(pick(2)) : some_device();
      return;
    case Field::stream_kind:
      call.stream_kind = static_cast<StreamKind>(pick(2));
      return;
    case Field::fail_kind:
      call.fail_kind = static_cast<FailKind>(pick(3));
      return;
    case Field::attribute:
      call.attribute = some_attribute();
      return;
    case Field::value:
      call.value = some_value();
      return;
    case Field::width:
      if (given) call.width = any_number();
      return;
    case Field::size:
    case Field::count:
      if (given) call.size = any_number();
      return;
    case Field::byte:
      call.byte = static_cast<std::uint8_t>(pick(256));
      return;
    default:
      *name_in(call, parameter.field) = some(*name_kind(parameter.field));
      return;
  }
}

Call Maker::some_call() {
  const auto table = signatures();
  std::uint64_t which = pick(table.size());
  while (!possible(table[which])) which = (which + 1) % table.size();
  Call call;
  call.op = table[which].op;
  for (const Parameter& parameter : table[which].parameters()) fill_in(parameter, call);
  return call;
}

Result Maker::some_result(Op op) {
  Result out;
  if (pick(3) == 0) out.status = static_cast<Status>(pick(12));
  const Output output = signature(op).output;
  const bool has_value = output == Output::address || output == Output::attribute_value || output == Output::bytes;
  if (has_value && coin()) out.value = any_number();
  if (output == Output::bytes && out.value && coin()) out.total = any_number();
  if (output == Output::attribute_value && coin()) out.wrote = any_number();
  if (output == Output::handle && coin()) out.handle = any_number();
  if (output != Output::none) {
    out.unwritten = pick(4) == 0;
    if (pick(4) == 0) out.out = static_cast<Result::Out>(pick(3));
    if (out.out == Result::Out::address) out.out_address = any_number();
  }
  if (pick(4) == 0) out.native = any_number();
  if (pick(4) == 0 && !known(NameKind::gate).empty()) out.blocked = some(NameKind::gate);
  return out;
}

void Maker::settle(const Call& call, Status status) {
  const Definition made = definition(call);
  if (made.name != Name::none && status == Status::ok) known(made.kind).push_back(made.name);
}

bool Maker::make_expect(Line& line) {
  Expect& expect = line.expect;
  line.kind = LineKind::expect;
  expect.kind = static_cast<Expect::Kind>(pick(5));
  switch (expect.kind) {
    case Expect::Kind::overlap:
      if (known(NameKind::allocation).empty()) return false;
      expect.first = some(NameKind::allocation);
      expect.second = some(NameKind::allocation);
      expect.verdict = static_cast<Expect::Verdict>(pick(3));
      return true;
    case Expect::Kind::status:
      if (labels_.empty()) return false;
      expect.label = labels_[pick(labels_.size())];
      expect.status = static_cast<Status>(pick(12));
      return true;
    case Expect::Kind::attribute:
      if (known(NameKind::pool).empty()) return false;
      expect.pool = some(NameKind::pool);
      expect.attribute = some_attribute();
      expect.low = any_number();
      expect.high = any_number();
      return true;
    case Expect::Kind::violation:
    case Expect::Kind::program_fault:
      break;
  }
  expect.clause = numbered('C', pick(9)).append("-UNSAFE");
  return true;
}

void Maker::make_call(Line& line) {
  const std::uint64_t thread_number = pick(3);
  if (thread_number > 0) line.thread = names_.intern_thread(numbered('t', thread_number));
  if (coin()) {
    line.label = numbered('L', made_++);
    labels_.push_back(line.label);
  }
  const auto open =
      std::find_if(open_.begin(), open_.end(), [&line](const Open& each) { return each.thread == line.thread; });
  if (open != open_.end()) {
    line.kind = LineKind::call_return;
    line.id = open->id;
    line.call = open->call;
    line.result = some_result(line.call.op);
    settle(line.call, line.result->status);
    open_.erase(open);
    return;
  }
  line.call = some_call();
  if (coin()) {
    line.kind = LineKind::call_begin;
    line.id = names_.intern_id(std::to_string(made_++));
    open_.push_back({line.id, line.thread, line.call});
    return;
  }
  if (coin()) line.result = some_result(line.call.op);
  settle(line.call, line.result ? line.result->status : Status::ok);
}

void Maker::preamble(std::vector<Line>& out) {
  Line device;
  device.kind = LineKind::device;
  device.device.device = Device{1};
  if (coin()) device.device.memory = any_number();
  if (coin()) device.device.granularity = any_number();
  if (coin()) device.device.alignment = any_number();
  if (coin()) device.device.taken = any_number();
  out.push_back(device);
  if (coin()) return;
  Line profile;
  profile.kind = LineKind::profile;
  profile.profile.name = "hip-7-documented";
  out.push_back(profile);
}

std::vector<Line> Maker::history(std::size_t lines) {
  std::vector<Line> out;
  preamble(out);
  while (out.size() < lines) {
    Line line;
    if (pick(8) != 0) {
      make_call(line);
    } else if (!make_expect(line)) {
      continue;
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace streampool::history
