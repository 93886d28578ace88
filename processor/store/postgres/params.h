#ifndef WEBHOOK_PROCESSOR_STORE_POSTGRES_PARAMS_H_
#define WEBHOOK_PROCESSOR_STORE_POSTGRES_PARAMS_H_

#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "processor/store/postgres/values.h"

namespace webhook::postgres {

// The parameters of one statement, in the order of $1, $2, ... Values are
// copied in.
class Params {
 public:
  template <typename T>
  Params& add(const T& value) {
    std::string& out = *values_.emplace_back(std::string());
    append_value(out, value);
    return *this;
  }

  template <typename T>
  Params& add(const std::optional<T>& value) {
    if (value) return add(*value);
    values_.emplace_back(std::nullopt);
    return *this;
  }

  // An array with `get(item)`, a T or std::optional<T>, for each of `items`.
  template <typename T, typename Items, typename Get>
  Params& add_array(const Items& items, Get get) {
    std::string& out = *values_.emplace_back(std::string());
    append_array_header(out, type_oid<T>(), std::ranges::size(items));
    for (const auto& item : items) append_element<T>(out, get(item));
    return *this;
  }

  size_t size() const { return values_.size(); }
  // As libpq wants them; valid while this object is unchanged.
  std::vector<const char*> pointers() const;
  std::vector<int> lengths() const;

 private:
  static void append_array_header(std::string& out, uint32_t oid, size_t size);

  template <typename T>
  static void append_element(std::string& out, const std::optional<T>& value) {
    const size_t length_at = out.size();
    append_big_endian(out, int32_t{-1});
    if (!value) return;
    append_value(out, *value);
    write_length(out, length_at);
  }

  // Of the element whose length stands at `at`.
  static void write_length(std::string& out, size_t at);

  std::vector<std::optional<std::string>> values_;
};

}  // namespace webhook::postgres

#endif  // WEBHOOK_PROCESSOR_STORE_POSTGRES_PARAMS_H_
