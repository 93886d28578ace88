#ifndef WEBHOOK_PROCESSOR_CRYPTO_RANDOM_H_
#define WEBHOOK_PROCESSOR_CRYPTO_RANDOM_H_

#include <cstdint>
#include <span>

namespace webhook {

// From the system's generator. A process without one cannot go on: aborts.
void fill_random(std::span<uint8_t> bytes);

}  // namespace webhook

#endif  // WEBHOOK_PROCESSOR_CRYPTO_RANDOM_H_
