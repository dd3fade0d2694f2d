# Writes OUTPUT, which says the commit that SOURCE is at; run by a build that wants it (CODEXMEM_COMMIT).
set(commit "")
if(WANTED)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
namespace codexmem::app {
extern const char* const kCommit;
const char* const kCommit = "@commit@";
}  // namespace codexmem::app
]])
