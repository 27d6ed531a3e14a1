# Writes OUT with the commit of SOURCE at build time, only if it changed.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes ERROR_QUIET)
  if(changes)
    string(APPEND commit " with changes")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT
"// Made by the build: the commit it was made from.
#pragma once

namespace rpcbench {

inline constexpr char kCommit[] = \"${commit}\";

}  // namespace rpcbench
")
