// Results of what can fail in the normal course. Exceptions are not used for
// that; they are caught at thread and process entry points only.
#ifndef WEBHOOK_PROCESSOR_BASE_RESULT_H_
#define WEBHOOK_PROCESSOR_BASE_RESULT_H_

#include <spdlog/fmt/fmt.h>

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace webhook {

// One sentence for the person who runs the processor.
struct Error {
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;
using Status = Result<void>;

template <typename... Args>
tl::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return tl::make_unexpected(Error{fmt::format(format, std::forward<Args>(args)...)});
}

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_BASE_RESULT_H_
