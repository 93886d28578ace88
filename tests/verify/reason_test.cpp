#include "ngx_webhook_module/verify/reason.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/verify/support.h"

namespace webhook::test {
namespace {

constexpr Reason kAll[] = {
#define X(number, identifier, name, decision, status) Reason::identifier,
    WEBHOOK_REASONS(X)
#undef X
};

TEST(Reason, NamesAreLabelsAndUnique) {
  std::set<std::string> names;
  for (const Reason reason : kAll) {
    const std::string name = reason_name(reason);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
  }
}

TEST(Reason, NumbersComeBackFromTheWire) {
  std::set<uint32_t> known;
  for (const Reason reason : kAll) {
    known.insert(static_cast<uint32_t>(reason));
    EXPECT_EQ(reason_from_number(static_cast<uint32_t>(reason)), reason);
  }
  for (uint32_t number = 0; number < 1000; ++number) {
    if (known.count(number) != 0) continue;
    EXPECT_EQ(reason_from_number(number), Reason::kInternal);
  }
  EXPECT_EQ(reason_from_number(UINT32_MAX), Reason::kInternal);
  EXPECT_EQ(reason_from_number(256 + 1), Reason::kInternal);  // not cut to 8 bits
}

TEST(Reason, StatusFollowsTheDecision) {
  for (const Reason reason : kAll) {
    const int status = reason_status(reason);
    switch (reason_decision(reason)) {
      case Decision::kNone: EXPECT_EQ(status, 500); break;
      case Decision::kRefused: EXPECT_TRUE(status >= 400 && status < 500); break;
      case Decision::kUnavailable: EXPECT_EQ(status, 503); break;
      default: EXPECT_EQ(status, 0);
    }
  }
}

// The order of refusals that the outside relies on.
TEST(Reason, R10_StatusCodes) {
  const struct {
    Reason reason;
    int status;
  } cases[] = {
      {Reason::kHttpsRequired, 403},
      {Reason::kMethod, 405},
      {Reason::kContentType, 415},
      {Reason::kContentEncoding, 415},
      {Reason::kHeaderMalformed, 400},
      {Reason::kHeaderDoubled, 400},
      {Reason::kHeaderOversized, 400},
      {Reason::kSignatureMalformed, 400},
      {Reason::kTimestampMalformed, 400},
      {Reason::kBodyTooLarge, 413},
      {Reason::kRateLimited, 429},
      {Reason::kSignatureMissing, 401},
      {Reason::kSignatureScheme, 401},
      {Reason::kSignatureMismatch, 401},
      {Reason::kStale, 401},
      {Reason::kFuture, 401},
      {Reason::kEventIdMissing, 422},
      {Reason::kSecretUnavailable, 503},
  };
  for (const auto& c : cases) EXPECT_EQ(reason_status(c.reason), c.status);
}

TEST(Reason, DecisionNames) {
  const char* const names[] = {"",     "accepted",  "duplicate", "ignored",
                               "held", "handshake", "refused",   "unavailable"};
  for (int i = 0; i < 8; ++i) {
    EXPECT_STREQ(decision_name(static_cast<Decision>(i)), names[i]);
  }
}

TEST(Reason, WhatIsNotInTheListIsNoSuccess) {
  const Reason other = static_cast<Reason>(200);
  EXPECT_STREQ(reason_name(other), "none");
  EXPECT_EQ(reason_decision(other), Decision::kNone);
  EXPECT_EQ(reason_status(other), 500);
  EXPECT_STREQ(decision_name(static_cast<Decision>(99)), "");
}

}  // namespace
}  // namespace webhook::test
