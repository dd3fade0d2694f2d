// graph/routes/route_rules.h - the frameworks: their names, calls and annotations. Tables only;
// router_reader.h reads them.
#pragma once

#include <span>
#include <string_view>

namespace codexmem::graph {

/// Lists have commas between.
struct Framework {
  std::string_view name;
  std::string_view family;   // of the languages: Language::family, or else its name
  std::string_view words;    // a file that has one of these may declare routes,
  std::string_view modules;  // if it imports one that begins so; empty: any
  std::string_view paths;    // and a file whose path ends so, or contains it with "/" at the end
};
std::span<const Framework> frameworks();

/// What a call does.
enum class RouteAct : unsigned char {
  kCreate,      // makes a router
  kCreateRoot,  // makes a router that is a server, mounted nowhere
  kVerb,        // a route: its method is the name of the call
  kRoute,       // a route: named arguments, or the text before the path, say the methods
  kResource,    // routes of a class with a method for each method of HTTP
  kMount,       // puts a router below another
  kGroup,       // a router below another, for a block or as the result
  kPass,        // gives its receiver
  kPrefix,      // adds a prefix to its receiver
  kMethods,     // says the methods of the route that is its receiver
  kTable,       // an entry of a table: a route, or a router that is included
  kSet,         // routes of a set of views
  // Of blocks:
  kNamespace,  // a group that also names a folder of handlers
  kResources,  // the usual routes of a collection
  kSingular,   // of a single thing
  kMember,
  kCollection,
  kConcern,  // a block that is read where it is named
  kRoot,     // GET of "/"
  kLimit,    // says which of the usual routes there are
  kDraw,     // reads another file
  kOpaque,   // routes of a package
};

struct CallRule {
  std::string_view family;
  std::string_view names;  // of the calls
  RouteAct act;
  std::string_view option = {};  // the named argument that holds the prefix, or the methods
  std::string_view method = {};  // of a kVerb whose name is not the method; default of a kRoute
};
std::span<const CallRule> call_rules();

/// A decorator or annotation of a class or method.
struct AnnotationRule {
  std::string_view family;
  std::string_view name;
  std::string_view method;  // empty: the argument `method` says it
  std::string_view framework;
};
std::span<const AnnotationRule> annotation_rules();

/// Whether `word` is in `list`, which has commas between.
bool is_listed(std::string_view list, std::string_view word);

}  // namespace codexmem::graph
