# Writes OUTPUT, which says the commit that SOURCE is at, and its day; run by a build that wants
# them (CODEXMEM_COMMIT).
set(commit "")
set(date "")
if(WANTED)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git -C ${SOURCE} log -1 --format=%cs
                  OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
namespace codexmem::app {
extern const char* const kCommit;
const char* const kCommit = "@commit@";
extern const char* const kCommitDate;
const char* const kCommitDate = "@date@";
}  // namespace codexmem::app
]])
