# Writes OUT, a source with the files of FOLDER as constants, so that the program needs nothing beside it.
set(entries "")

# file(READ) and quoted strings keep semicolons and brackets as they are.
macro(embed path file type)
  file(READ "${FOLDER}/${file}" body)
  string(APPEND entries "      {\"${path}\", \"${type}\", R\"--file--(${body})--file--\"},\n")
endmacro()

embed("/" page.html "text/html; charset=utf-8")
embed("/app.js" app.js "text/javascript; charset=utf-8")
embed("/cards.js" cards.js "text/javascript; charset=utf-8")
embed("/chart.js" chart.js "text/javascript; charset=utf-8")
embed("/style.css" style.css "text/css; charset=utf-8")
embed("/icon.svg" icon.svg "image/svg+xml")

file(WRITE "${OUT}"
"// Made by the build from the files of the page.
#include \"fanout/page/page_files.h\"

namespace rpcbench {

std::vector<PageFile> PageFiles() {
  return {
${entries}  };
}

}  // namespace rpcbench
")
