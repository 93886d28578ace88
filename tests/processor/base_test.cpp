#include <gtest/gtest.h>

#include "processor/base/log.h"
#include "processor/base/utf8.h"
#include "processor/base/uuid.h"

namespace webhook {
namespace {

TEST(Uuid, IsVersion7AndSortsByTime) {
  const Uuid earlier = make_uuid7(0x0123456789ab);
  EXPECT_EQ(uuid_text(earlier).substr(0, 15), "01234567-89ab-7");
  EXPECT_EQ(earlier[8] & 0xc0, 0x80);
  EXPECT_LT(earlier, make_uuid7(0x0123456789ac));
  EXPECT_NE(make_uuid7(1), make_uuid7(1));
}

TEST(Uuid, TextRoundTripsAndNothingElseParses) {
  const Uuid id = make_uuid7(5);
  EXPECT_EQ(parse_uuid(uuid_text(id)), id);
  for (const char* bad :
       {"", "01234567-89ab-7000-8000-00000000000", "zz", "01234567x89ab-7000-8000-000000000000",
        "0123456g-89ab-7000-8000-000000000000"}) {
    EXPECT_FALSE(parse_uuid(bad)) << bad;
  }
}

TEST(Utf8, FollowsRfc3629) {
  for (const char* good : {"", "a", "\u00e9", "\u20ac", "\U0010ffff", "\ud7ff", "\ue000"}) {
    EXPECT_EQ(utf8_sequence_length(good), std::string_view(good).size()) << good;
  }
  for (const char* bad :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82", "\xc3", "\xc3\x28", "\xff"}) {
    EXPECT_EQ(utf8_sequence_length(bad), 0u) << bad;
  }
}

TEST(Log, EscapesHostileText) {
  const auto escaped = [](std::string_view text) {
    std::string out;
    append_json_escaped(out, text);
    return out;
  };
  EXPECT_EQ(escaped("a\"b\\c\n\x1b\x7f"), "a\\\"b\\\\c\\n\\u001b\\u007f");
  EXPECT_EQ(escaped(std::string_view("\0", 1)), "\\u0000");
  EXPECT_EQ(escaped("\u00e9\xff\xe2\x82"), "\u00e9\\ufffd\\ufffd\\ufffd");
}

}  // namespace
}  // namespace webhook
