#include "ngx_webhook_module/verify/text.h"

#include <gtest/gtest.h>

#include "ngx_webhook_module/verify/headers.h"
#include "tests/verify/support.h"

namespace webhook::test {
namespace {

TEST(Text, SliceNeverLeavesTheText) {
  EXPECT_EQ(slice("abc", 1), "bc");
  EXPECT_EQ(slice("abc", 1, 2), "b");
  EXPECT_EQ(slice("abc", 3), "");
  EXPECT_EQ(slice("abc", 4), "");
  EXPECT_EQ(slice("abc", 2, 1), "");
  EXPECT_EQ(slice("abc", 0, 99), "abc");
}

TEST(Text, TakeUntilSplitsAtTheFirstSeparator) {
  std::string_view rest = "a,,b";
  EXPECT_EQ(take_until(&rest, ','), "a");
  EXPECT_EQ(take_until(&rest, ','), "");
  EXPECT_EQ(take_until(&rest, ','), "b");
  EXPECT_EQ(rest, "");
  EXPECT_EQ(take_until(&rest, ','), "");
}

TEST(Text, TrimTakesBlanksAndTabsOnly) {
  EXPECT_EQ(trim(" \t a b\t "), "a b");
  EXPECT_EQ(trim(" \t "), "");
  EXPECT_EQ(trim("\na\n"), "\na\n");
}

TEST(Text, CaseIsThatOfAsciiLetters) {
  EXPECT_TRUE(equal_ignoring_case("Stripe-Signature", "sTRIPE-sIGNATURE"));
  EXPECT_FALSE(equal_ignoring_case("abc", "abcd"));
  EXPECT_FALSE(equal_ignoring_case("a_b", "a-b"));
  // Bytes that differ by 0x20 only, but are no letters.
  EXPECT_FALSE(equal_ignoring_case("@", "`"));
  EXPECT_FALSE(equal_ignoring_case("[", "{"));
  EXPECT_FALSE(equal_ignoring_case("\xc3\x84", "\xc3\xa4"));
}

TEST(Text, PrintableAscii) {
  EXPECT_TRUE(is_printable_ascii(" ~"));
  EXPECT_TRUE(is_printable_ascii(""));
  for (const std::string& text : {"\x1f"s, "\x7f"s, "\x80"s, "\xff"s, "\0"s, "\t"s, "\n"s}) {
    EXPECT_FALSE(is_printable_ascii("a" + text + "b"));
  }
}

TEST(Text, NamesOfProvidersAndVersions) {
  EXPECT_TRUE(is_name("2026-11_b.C"));
  EXPECT_TRUE(is_name(std::string(64, 'x')));
  EXPECT_FALSE(is_name(std::string(65, 'x')));
  for (const char* text : {"", " ", "a b", "a/b", "a\n", "\xc3\xa4", "a\"b", "@", "[", "`", "{"}) {
    EXPECT_FALSE(is_name(text)) << text;
  }
}

TEST(Text, Utf8) {
  for (const std::string& text : {""s, "\0"s, "\x7f"s, "\xc2\x80"s, "\xdf\xbf"s, "\xe0\xa0\x80"s,
                                  "\xed\x9f\xbf"s, "\xee\x80\x80"s, "\xef\xbf\xbf"s,
                                  "\xf0\x90\x80\x80"s, "\xf4\x8f\xbf\xbf"s, "a\xc3\xa4z"s}) {
    EXPECT_TRUE(is_valid_utf8(Exact(text))) << hex(text);
  }
  for (const std::string& text :
       {"\x80"s, "\xbf"s, "\xc0\x80"s, "\xc1\xbf"s, "\xc2"s, "\xc2\x41"s, "\xe0\x9f\xbf"s,
        "\xe2\x82"s, "\xed\xa0\x80"s, "\xed\xbf\xbf"s, "\xf0\x8f\xbf\xbf"s, "\xf4\x90\x80\x80"s,
        "\xf5\x80\x80\x80"s, "\xf0\x90\x80"s, "\xff"s, "\xc3\xa4\xa4"s, "\xe2\x82\xc2"s}) {
    EXPECT_FALSE(is_valid_utf8(Exact(text))) << hex(text);
  }
}

TEST(Headers, R15_FoundInAnyCaseButUnderscoreIsNotHyphen) {
  const HeaderField fields[] = {{"X-Id", "1"}, {"X_Id", "2"}, {"x-iD", "3"}, {"X-Idx", "4"}};
  const Headers headers = {fields, 4};
  EXPECT_EQ(headers.value("x-id"), "1");
  EXPECT_EQ(headers.occurrences("X-ID"), 2u);
  EXPECT_EQ(headers.value("x_id"), "2");
  EXPECT_EQ(headers.occurrences("X_ID"), 1u);
  EXPECT_EQ(headers.find("X-I"), nullptr);
  EXPECT_EQ(headers.value("X-I"), "");
  EXPECT_EQ(Headers().find("X-Id"), nullptr);
}

TEST(Arena, CopiesTextWithANulBehindIt) {
  TestArena arena(2);
  const std::string_view copy = copy_text(arena.get(), Exact("abc"));
  EXPECT_EQ(copy, "abc");
  EXPECT_EQ(copy.data()[3], '\0');
  const std::string_view empty = copy_text(arena.get(), {});
  EXPECT_NE(empty.data(), nullptr);
  EXPECT_EQ(empty, "");
  EXPECT_EQ(copy_text(arena.get(), "x").data(), nullptr);
}

}  // namespace
}  // namespace webhook::test
