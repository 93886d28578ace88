# Run by embed_text() at build time.
set(entries "")
foreach(file IN LISTS FILES)
  file(READ ${ROOT}/${file} text)
  string(APPEND entries "    {\"${file}\", R\"__SQL__(${text})__SQL__\"},\n")
endforeach()
file(MAKE_DIRECTORY ${DIR})
file(WRITE ${DIR}/${TARGET}.h "#pragma once
#include <map>
#include <string_view>
namespace ${NAMESPACE} {
const std::map<std::string_view, std::string_view>& all();
std::string_view text(std::string_view path);
}  // namespace ${NAMESPACE}
")
file(WRITE ${DIR}/${TARGET}.cpp "#include \"${TARGET}.h\"
namespace ${NAMESPACE} {
const std::map<std::string_view, std::string_view>& all() {
  static const std::map<std::string_view, std::string_view> files = {
${entries}  };
  return files;
}
std::string_view text(std::string_view path) {
  const auto found = all().find(path);
  return found == all().end() ? std::string_view() : found->second;
}
}  // namespace ${NAMESPACE}
")
