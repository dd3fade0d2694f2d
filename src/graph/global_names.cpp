#include "graph/global_names.h"

#include <unordered_set>

#include "graph/core/file_model.h"
#include "graph/word_set.h"

namespace codexmem::graph {

bool is_global_name(std::string_view language, std::string_view name) {
  static const std::unordered_set<std::string_view> python = word_set(
      "ArithmeticError AssertionError AttributeError BaseException BlockingIOError "
      "BrokenPipeError BufferError BytesWarning ChildProcessError ConnectionAbortedError "
      "ConnectionError ConnectionRefusedError ConnectionResetError DeprecationWarning "
      "EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup False "
      "FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit "
      "IOError ImportError ImportWarning IndentationError IndexError InterruptedError "
      "IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError "
      "ModuleNotFoundError NameError None NotADirectoryError NotImplemented "
      "NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError "
      "ProcessLookupError RecursionError ReferenceError ResourceWarning RuntimeError "
      "RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning "
      "SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError "
      "UnicodeDecodeError UnicodeEncodeError UnicodeError UnicodeTranslateError "
      "UnicodeWarning UserWarning ValueError Warning ZeroDivisionError BaseExceptionGroup "
      "WindowsError __build_class__ __builtins__ __debug__ __doc__ __file__ __import__ "
      "__loader__ __name__ __package__ __spec__ __class__ __path__ __dict__ __module__ "
      "__qualname__ __annotations__ abs aiter all anext any apply ascii basestring bin "
      "bool breakpoint buffer bytearray bytes callable chr classmethod cmp coerce compile "
      "complex copyright credits delattr dict dir divmod enumerate eval exec execfile exit "
      "file filter float format frozenset getattr globals hasattr hash help hex id input "
      "int intern isinstance issubclass iter len license list locals long map max "
      "memoryview min next object oct open ord pow print property quit range raw_input "
      "reduce reload repr reversed round set setattr slice sorted staticmethod str sum "
      "super tuple type unichr unicode vars xrange zip self _");
  static const std::unordered_set<std::string_view> ecmascript = word_set(
      "AbortController AbortSignal AggregateError Array ArrayBuffer Atomics Awaited BigInt "
      "BigInt64Array BigUint64Array Blob BodyInit Boolean BroadcastChannel Buffer Bun "
      "Cache CacheStorage Capitalize ClassDecorator Console ConstructorParameters Crypto "
      "CryptoKey CustomEvent DOMException DOMParser DataView Date Deno Document Element "
      "Error EvalError Event EventListener EventSource EventTarget Exclude Extract "
      "FetchEvent File FileReader FinalizationRegistry Float32Array Float64Array FormData "
      "Function Generator HTMLElement Headers HeadersInit History Image Infinity "
      "InstanceType Int16Array Int32Array Int8Array Intl Iterable IterableIterator "
      "Iterator JSON JSX Location Lowercase Map Math MessageChannel MessageEvent "
      "MessagePort MutationObserver NaN Navigator Node NodeJS NodeList NonNullable "
      "Notification Number Object Omit OmitThisParameter Parameters Partial Performance "
      "Pick Promise PromiseLike PropertyKey Proxy RangeError React ReadableStream Readonly "
      "ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp Request "
      "RequestInfo RequestInit Required ResizeObserver Response ResponseInit ReturnType "
      "Set SharedArrayBuffer Storage String Symbol SyntaxError TextDecoder TextEncoder "
      "ThisParameterType ThisType TransformStream TypeError URIError URL URLSearchParams "
      "Uint16Array Uint32Array Uint8Array Uint8ClampedArray Uncapitalize Uppercase WeakMap "
      "WeakRef WeakSet WebAssembly WebSocket Window Worker WritableStream XMLHttpRequest "
      "__dirname __filename addEventListener after afterAll afterEach alert arguments "
      "assert atob before beforeAll beforeEach btoa caches cancelAnimationFrame chai "
      "clearImmediate clearInterval clearTimeout confirm console context crypto "
      "customElements decodeURI decodeURIComponent define describe dispatchEvent document "
      "encodeURI encodeURIComponent escape eval expect exports fail fetch fit global "
      "globalThis history importScripts indexedDB isFinite isNaN it jest localStorage "
      "location module name navigator open parent parseFloat parseInt performance "
      "postMessage process prompt queueMicrotask removeEventListener requestAnimationFrame "
      "requestIdleCallback require screen self sessionStorage setImmediate setInterval "
      "setTimeout setup sinon spyOn status structuredClone suite suiteSetup suiteTeardown "
      "teardown test this top undefined unescape vi vitest window xdescribe xit const "
      "unique intrinsic any unknown never void null string number boolean bigint symbol "
      "object asserts is keyof infer");
  return (family_of(language) == Family::kPython ? python : ecmascript).contains(name);
}

}  // namespace codexmem::graph
