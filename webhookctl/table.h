// Rows for people to read, in aligned columns.
#ifndef WEBHOOK_WEBHOOKCTL_TABLE_H_
#define WEBHOOK_WEBHOOKCTL_TABLE_H_

#include <string>
#include <vector>

namespace webhook {

class Table {
 public:
  explicit Table(std::vector<std::string> titles);

  // As many cells as titles; an empty one is shown as "-".
  void add(std::vector<std::string> cells);

  // To standard output, without control characters.
  void print() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace webhook

#endif  // WEBHOOK_WEBHOOKCTL_TABLE_H_
