#include "graph/common_members.h"

#include <unordered_set>

#include "graph/word_set.h"

namespace codexmem::graph {

bool is_library_member(Family family, std::string_view name) {
  // Array, String, Object, Function, Promise, Map, Set, RegExp, Date, Number, Error, events,
  // streams, DOM nodes, console, process, requests and responses.
  static const std::unordered_set<std::string_view> ecmascript = word_set(
      "length concat copyWithin entries every fill filter find findIndex findLast flat flatMap "
      "forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse "
      "shift "
      "slice some sort splice unshift values at with charAt charCodeAt codePointAt endsWith "
      "localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search "
      "split "
      "startsWith substring substr toLowerCase toUpperCase trim trimEnd trimStart toString valueOf "
      "hasOwnProperty isPrototypeOf constructor prototype apply bind call name then catch finally "
      "resolve reject all race get set has delete clear add size next return throw test exec "
      "source "
      "flags getTime toISOString toJSON toFixed message stack cause code on once off emit "
      "addListener removeListener removeAllListeners listeners pipe write end read destroy pause "
      "resume addEventListener removeEventListener dispatchEvent getAttribute setAttribute "
      "appendChild removeChild querySelector querySelectorAll classList style value type id target "
      "log error warn info debug trace assert env argv cwd exit nextTick stdout stderr stdin "
      "status headers body json text url method ok data key index parse stringify now random floor "
      "ceil round max min abs assign create defineProperty freeze fromEntries getPrototypeOf "
      "setPrototypeOf isArray from of describe it expect toBe toEqual close open start stop path "
      "signal abort aborted done buffer byteLength props state children ref current options");
  static const std::unordered_set<std::string_view> python = word_set(
      "append extend insert remove pop clear index count sort reverse copy get items keys values "
      "update setdefault popitem fromkeys add discard union difference intersection issubset "
      "issuperset join split rsplit splitlines strip lstrip rstrip replace startswith endswith "
      "encode decode format format_map lower upper title capitalize casefold find rfind isdigit "
      "isalpha isalnum isspace isidentifier partition rpartition zfill center ljust rjust "
      "translate "
      "read write readline readlines writelines close flush seek tell open name mode closed "
      "fileno isatty send recv connect bind listen accept shutdown start run stop wait cancel "
      "result "
      "put put_nowait get_nowait task_done acquire release set is_set match search sub findall "
      "finditer fullmatch group groups groupdict span pattern exists is_file is_dir mkdir rmdir "
      "unlink glob rglob iterdir parent parts stem suffix resolve joinpath read_text write_text "
      "read_bytes write_bytes stat now today date time year month day total_seconds isoformat "
      "strftime strptime timestamp args kwargs errno code message info debug warning error "
      "exception critical log level handlers addHandler setLevel path environ argv exit "
      "__init__ __call__ __enter__ __exit__ __iter__ __next__ __len__ __getitem__ __setitem__ "
      "__contains__ __eq__ __hash__ __repr__ __str__ __name__ __doc__ __dict__ __class__ "
      "__module__ "
      "value type id key data text status headers url method json next throw dumps loads dump "
      "load");
  switch (family) {
    case Family::kEcmaScript:
      return ecmascript.contains(name);
    case Family::kPython:
      return python.contains(name);
    default:
      break;
  }
  return false;
}

}  // namespace codexmem::graph
