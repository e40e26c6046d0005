#include "model/history/words.hpp"

namespace streampool::history {

std::string_view expected_for(Field field) {
  switch (field) {
    case Field::stream:
      return "a stream";
    case Field::created_stream:
      return "a stream that was created";
    case Field::event:
      return "an event";
    case Field::gate:
      return "a gate";
    case Field::pool:
      return "a pool";
    case Field::pool_or_current:
      return "a pool or 'current'";
    case Field::allocation:
      return "an allocation";
    case Field::pointer:
    case Field::pointers:
      return "an allocation, 'null' or an address '@0x...'";
    case Field::device:
      return "a device";
    case Field::stream_kind:
      return "'blocking' or 'nonblocking'";
    case Field::fail_kind:
      return "'reserve', 'map' or 'submit'";
    case Field::attribute:
      return "an attribute or 'attr:' and a number";
    case Field::value:
      return "a number, 'max', 'null' or 'raw:' and hex bytes";
    case Field::width:
    case Field::count:
      return "a number";
    case Field::size:
      return "a size";
    case Field::byte:
      return "a byte (0 to 255)";
  }
  return {};
}

}  // namespace streampool::history
