// Header fields that own their text.
#ifndef WEBHOOK_WEBHOOKCTL_HEADER_LIST_H_
#define WEBHOOK_WEBHOOKCTL_HEADER_LIST_H_

#include <string>
#include <string_view>
#include <vector>

#include "ngx_webhook_module/verify/headers.h"

namespace webhook {

struct OwnedHeader {
  std::string name;
  std::string value;
};

class HeaderList {
 public:
  void add(std::string_view name, std::string_view value);

  // Replaces the first field of that name, in any case, or adds one.
  void set(std::string_view name, std::string_view value);

  bool has(std::string_view name) const;
  const std::vector<OwnedHeader>& all() const { return headers_; }
  std::vector<OwnedHeader>& all() { return headers_; }

 private:
  std::vector<OwnedHeader> headers_;
};

// What the verify library reads; valid until the list changes or goes.
class HeaderView {
 public:
  explicit HeaderView(const HeaderList& list);
  operator Headers() const { return {fields_.data(), fields_.size()}; }

 private:
  std::vector<HeaderField> fields_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_HEADER_LIST_H_
