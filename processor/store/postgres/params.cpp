#include "processor/store/postgres/params.h"

namespace webhook::postgres {

// Dimensions, whether there may be NULLs, element type, then size and first
// index of the one dimension.
void Params::append_array_header(std::string& out, uint32_t oid, size_t size) {
  append_big_endian(out, int32_t{1});
  append_big_endian(out, int32_t{1});
  append_big_endian(out, oid);
  append_big_endian(out, static_cast<int32_t>(size));
  append_big_endian(out, int32_t{1});
}

void Params::write_length(std::string& out, size_t at) {
  std::string length;
  append_big_endian(length, static_cast<int32_t>(out.size() - at - sizeof(int32_t)));
  out.replace(at, length.size(), length);
}

std::vector<const char*> Params::pointers() const {
  std::vector<const char*> pointers;
  pointers.reserve(values_.size());
  for (const auto& value : values_) pointers.push_back(value ? value->data() : nullptr);
  return pointers;
}

std::vector<int> Params::lengths() const {
  std::vector<int> lengths;
  lengths.reserve(values_.size());
  for (const auto& value : values_) {
    lengths.push_back(value ? static_cast<int>(value->size()) : 0);
  }
  return lengths;
}

}  // namespace webhook::postgres
