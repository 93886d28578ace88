// One sentence for the person who wrote a configuration or secret file.
#ifndef WEBHOOK_VERIFY_ERROR_H_
#define WEBHOOK_VERIFY_ERROR_H_

#include <stdarg.h>
#include <stdio.h>

namespace webhook {

// Holds at most 511 bytes; what is longer is cut. Never put a secret in it.
struct ConfigError {
  char text[512] = "";

  // Returns false, so that a failing function can end with it.
  __attribute__((format(printf, 2, 3))) bool set(const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return false;
  }
};

// For "%.*s".
#define WEBHOOK_TEXT(view) static_cast<int>((view).size()), (view).data()

}  // namespace webhook

#endif  // WEBHOOK_VERIFY_ERROR_H_
