#include "processor/crypto/random.h"

#include <openssl/rand.h>

#include <cstdlib>

namespace webhook {

void fill_random(std::span<uint8_t> bytes) {
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) {
    std::abort();
  }
}

}  // namespace webhook
