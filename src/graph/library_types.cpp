#include "graph/library_types.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

namespace codexmem::graph {
namespace {

struct NamedType {
  std::string_view name;
  LibraryTypeRule rule;
};

constexpr LibraryTypeRule container(ContainerKind kind, std::uint32_t first = 0) {
  return {LibraryType::kContainer, kind, first};
}

constexpr LibraryTypeRule same(std::uint32_t first = 0) {
  return {LibraryType::kSame, ContainerKind::kList, first};
}

constexpr LibraryTypeRule of(LibraryType type) { return {type, ContainerKind::kList, 0}; }

constexpr auto kList = container(ContainerKind::kList);
constexpr auto kMap = container(ContainerKind::kMap);
constexpr auto kPromise = container(ContainerKind::kPromise);

constexpr NamedType kEcmaScriptTypes[] = {
    {"Array", kList},
    {"ReadonlyArray", kList},
    {"ArrayLike", kList},
    {"Set", kList},
    {"ReadonlySet", kList},
    {"WeakSet", kList},
    {"Iterable", kList},
    {"Iterator", kList},
    {"IterableIterator", kList},
    {"Generator", kList},
    {"AsyncIterable", kList},
    {"AsyncIterator", kList},
    {"AsyncIterableIterator", kList},
    {"AsyncGenerator", kList},
    {"NodeListOf", kList},
    {"Map", kMap},
    {"ReadonlyMap", kMap},
    {"WeakMap", kMap},
    {"Record", container(ContainerKind::kRecord)},
    {"Promise", kPromise},
    {"PromiseLike", kPromise},
    {"Awaited", same()},
    {"Readonly", same()},
    {"Partial", same()},
    {"Required", same()},
    {"NonNullable", same()},
    {"Omit", same()},
    {"Pick", same()},
    {"Exclude", same()},
    {"Extract", same()},
    {"NoInfer", same()},
    {"WeakRef", same()},
    {"ReturnType", of(LibraryType::kResultOf)},
    {"InstanceType", of(LibraryType::kInstanceOf)},
};

constexpr NamedType kPythonTypes[] = {
    {"list", kList},
    {"List", kList},
    {"set", kList},
    {"Set", kList},
    {"frozenset", kList},
    {"FrozenSet", kList},
    {"deque", kList},
    {"Deque", kList},
    {"Sequence", kList},
    {"MutableSequence", kList},
    {"Iterable", kList},
    {"Iterator", kList},
    {"Collection", kList},
    {"Reversible", kList},
    {"AbstractSet", kList},
    {"MutableSet", kList},
    {"KeysView", kList},
    {"ValuesView", kList},
    {"Generator", kList},
    {"AsyncIterable", kList},
    {"AsyncIterator", kList},
    {"AsyncGenerator", kList},
    {"WeakSet", kList},
    {"dict", kMap},
    {"Dict", kMap},
    {"Mapping", kMap},
    {"MutableMapping", kMap},
    {"OrderedDict", kMap},
    {"defaultdict", kMap},
    {"DefaultDict", kMap},
    {"ChainMap", kMap},
    {"WeakValueDictionary", kMap},
    {"WeakKeyDictionary", kMap},
    {"MappingProxyType", kMap},
    {"tuple", of(LibraryType::kTuple)},
    {"Tuple", of(LibraryType::kTuple)},
    {"Union", of(LibraryType::kUnion)},
    {"Optional", same()},
    {"Annotated", same()},
    {"ClassVar", same()},
    {"Final", same()},
    {"InitVar", same()},
    {"Required", same()},
    {"NotRequired", same()},
    {"ReadOnly", same()},
    {"TypeGuard", same(9)},
    {"Awaitable", kPromise},
    {"Future", kPromise},
    {"Task", kPromise},
    {"Coroutine", container(ContainerKind::kPromise, 2)},
    {"ContextManager", container(ContainerKind::kList)},
    {"AbstractContextManager", container(ContainerKind::kList)},
    {"AsyncContextManager", container(ContainerKind::kList)},
    {"AbstractAsyncContextManager", container(ContainerKind::kList)},
    {"Callable", container(ContainerKind::kCallable, 1)},
    {"ReferenceType", container(ContainerKind::kCallable)},
    {"type", container(ContainerKind::kClassOf)},
    {"Type", container(ContainerKind::kClassOf)},
};

constexpr LibraryMethodRule kEcmaScriptList[] = {
    {"map", Flow::kCallbackList, Flow::kElement},
    {"flatMap", Flow::kCallbackElements, Flow::kElement},
    {"filter", Flow::kSame, Flow::kElement},
    {"forEach", Flow::kNothing, Flow::kElement},
    {"find", Flow::kElement, Flow::kElement},
    {"findLast", Flow::kElement, Flow::kElement},
    {"findIndex", Flow::kNothing, Flow::kElement},
    {"findLastIndex", Flow::kNothing, Flow::kElement},
    {"some", Flow::kNothing, Flow::kElement},
    {"every", Flow::kNothing, Flow::kElement},
    {"sort", Flow::kSame, Flow::kElement, Flow::kElement},
    {"toSorted", Flow::kSame, Flow::kElement, Flow::kElement},
    {"reduce", Flow::kSecond, Flow::kNothing, Flow::kElement},
    {"reduceRight", Flow::kSecond, Flow::kNothing, Flow::kElement},
    {"slice", Flow::kSame},
    {"splice", Flow::kSame},
    {"concat", Flow::kSame},
    {"reverse", Flow::kSame},
    {"toReversed", Flow::kSame},
    {"toSpliced", Flow::kSame},
    {"with", Flow::kSame},
    {"fill", Flow::kSame},
    {"add", Flow::kSame},
    {"values", Flow::kSame},
    {"flat", Flow::kSame},
    {"at", Flow::kElement},
    {"pop", Flow::kElement},
    {"shift", Flow::kElement},
    {"next", Flow::kNothing},
    {"entries", Flow::kEnumerated},
};
constexpr LibraryMethodRule kEcmaScriptMap[] = {
    {"get", Flow::kValue},       {"set", Flow::kSame},
    {"values", Flow::kValues},   {"keys", Flow::kKeys},
    {"entries", Flow::kEntries}, {"forEach", Flow::kNothing, Flow::kValue, Flow::kKey},
};
constexpr LibraryMethodRule kEcmaScriptPromise[] = {
    {"then", Flow::kCallbackPromise, Flow::kAwaited},
    {"catch", Flow::kSame},
    {"finally", Flow::kSame},
};
constexpr LibraryMethodRule kPythonList[] = {
    {"pop", Flow::kElement},      {"popleft", Flow::kElement},   {"copy", Flow::kSame},
    {"union", Flow::kSame},       {"intersection", Flow::kSame}, {"difference", Flow::kSame},
    {"__next__", Flow::kElement}, {"__enter__", Flow::kElement}, {"__iter__", Flow::kSame},
    {"send", Flow::kElement},
};
constexpr LibraryMethodRule kPythonMap[] = {
    {"get", Flow::kValue},     {"pop", Flow::kValue},       {"setdefault", Flow::kValue},
    {"values", Flow::kValues}, {"keys", Flow::kKeys},       {"items", Flow::kEntries},
    {"copy", Flow::kSame},     {"popitem", Flow::kNothing},
};
constexpr LibraryMethodRule kPythonPromise[] = {
    {"result", Flow::kAwaited},
};

// All of them in one table, so that an index tells the rule.
struct MethodTable {
  Family family;
  ContainerKind container;
  const LibraryMethodRule* begin;
  std::uint32_t size;
};

template <std::size_t N>
constexpr MethodTable table(Family family, ContainerKind container,
                            const LibraryMethodRule (&rules)[N]) {
  return {family, container, rules, static_cast<std::uint32_t>(N)};
}

constexpr MethodTable kMethodTables[] = {
    table(Family::kEcmaScript, ContainerKind::kList, kEcmaScriptList),
    table(Family::kEcmaScript, ContainerKind::kTuple, kEcmaScriptList),
    table(Family::kEcmaScript, ContainerKind::kMap, kEcmaScriptMap),
    table(Family::kEcmaScript, ContainerKind::kPromise, kEcmaScriptPromise),
    table(Family::kPython, ContainerKind::kList, kPythonList),
    table(Family::kPython, ContainerKind::kMap, kPythonMap),
    table(Family::kPython, ContainerKind::kPromise, kPythonPromise),
};
constexpr std::uint32_t kTableStep = 256;  // no table is longer

struct NamedFlow {
  std::string_view name;
  Flow flow;
};

constexpr NamedFlow kEcmaScriptFunctions[] = {
    {"Object.freeze", Flow::kSame},         {"Object.seal", Flow::kSame},
    {"Object.assign", Flow::kSame},         {"Object.create", Flow::kSame},
    {"Object.values", Flow::kValues},       {"Object.entries", Flow::kEntries},
    {"Object.defineProperty", Flow::kSame}, {"Object.setPrototypeOf", Flow::kSame},
    {"Array.from", Flow::kElements},        {"Promise.resolve", Flow::kPromiseOf},
    {"Promise.all", Flow::kPromiseOfEach},  {"structuredClone", Flow::kSame},
};

constexpr NamedFlow kPythonFunctions[] = {
    {"list", Flow::kElements},   {"tuple", Flow::kElements},
    {"set", Flow::kElements},    {"frozenset", Flow::kElements},
    {"sorted", Flow::kElements}, {"reversed", Flow::kElements},
    {"iter", Flow::kElements},   {"deque", Flow::kElements},
    {"aiter", Flow::kElements},  {"next", Flow::kElement},
    {"anext", Flow::kElement},   {"min", Flow::kElement},
    {"max", Flow::kElement},     {"enumerate", Flow::kEnumerated},
    {"copy.copy", Flow::kSame},  {"copy.deepcopy", Flow::kSame},
    {"copy", Flow::kSame},       {"deepcopy", Flow::kSame},
    {"dict", Flow::kSame},       {"filter", Flow::kSecondElements},
};

template <std::size_t N>
std::unordered_map<std::string_view, LibraryTypeRule> map_of(const NamedType (&types)[N]) {
  std::unordered_map<std::string_view, LibraryTypeRule> map;
  for (const NamedType& type : types) map.emplace(type.name, type.rule);
  return map;
}

}  // namespace

std::optional<LibraryTypeRule> find_library_type(Family family, std::string_view name) {
  static const auto ecmascript = map_of(kEcmaScriptTypes);
  static const auto python = map_of(kPythonTypes);
  const auto& types = family == Family::kPython ? python : ecmascript;
  const auto found = types.find(name);
  if (found == types.end()) return std::nullopt;
  return found->second;
}

std::optional<std::uint32_t> find_library_method(Family family, ContainerKind container,
                                                 std::string_view name) {
  for (std::uint32_t i = 0; i < std::size(kMethodTables); ++i) {
    const MethodTable& table = kMethodTables[i];
    if (table.family != family || table.container != container) continue;
    for (std::uint32_t rule = 0; rule < table.size; ++rule) {
      if (table.begin[rule].name == name) return i * kTableStep + rule;
    }
  }
  return std::nullopt;
}

const LibraryMethodRule& library_method(std::uint32_t index) {
  return kMethodTables[index / kTableStep].begin[index % kTableStep];
}

ContainerKind library_method_container(std::uint32_t index) {
  return kMethodTables[index / kTableStep].container;
}

Flow library_function(Family family, std::string_view name) {
  const auto find = [&](const NamedFlow* begin, const NamedFlow* end) {
    const auto* found =
        std::find_if(begin, end, [&](const NamedFlow& flow) { return flow.name == name; });
    return found == end ? Flow::kNothing : found->flow;
  };
  return family == Family::kPython
             ? find(std::begin(kPythonFunctions), std::end(kPythonFunctions))
             : find(std::begin(kEcmaScriptFunctions), std::end(kEcmaScriptFunctions));
}

}  // namespace codexmem::graph
