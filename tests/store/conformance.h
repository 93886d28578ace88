// What every store must do, whichever it is: the parts are in *_conformance_test.cpp.
#ifndef WEBHOOK_TESTS_STORE_CONFORMANCE_H_
#define WEBHOOK_TESTS_STORE_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "backends.h"
#include "test_support.h"

namespace webhook::testing {

class StoreConformance : public ::testing::TestWithParam<testing::Backend> {
 protected:
  void SetUp() override { reopen(); }

  void reopen() {
    store_.reset();
    auto store = harness_->open();
    ASSERT_TRUE(store) << store.error().message;
    store_ = std::move(*store);
  }

  std::vector<AcceptOutcome> accept(const std::vector<AcceptRow>& rows) {
    const auto outcomes = store_->accept(rows);
    EXPECT_TRUE(outcomes) << outcomes.error().message;
    return outcomes.value_or(std::vector<AcceptOutcome>(rows.size()));
  }

  uint64_t count(const EventFilter& filter = {}) { return store_->count(filter).value(); }

  std::unique_ptr<testing::StoreHarness> harness_ = GetParam().make();
  std::unique_ptr<Store> store_;
};

// HELD or IGNORED: without work to do.
inline AcceptRow waiting_row(const std::string& event_id, EventStatus status) {
  AcceptRow row = make_row(event_id);
  row.status = status;
  return row;
}

// Runs a suite that derives from it on every store of this run.
#define WEBHOOK_TEST_ON_ALL_STORES(suite)                                               \
  INSTANTIATE_TEST_SUITE_P(Stores, suite, ::testing::ValuesIn(testing::all_backends()), \
                           [](const auto& info) { return info.param.name; })

}  // namespace webhook::testing

#endif  // WEBHOOK_TESTS_STORE_CONFORMANCE_H_
