// Tested by graph/routes_test.cpp.
#include "graph/routes/route_rules.h"

#include <algorithm>

#include "base/text.h"

namespace codexmem::graph {
namespace {

constexpr Framework kFrameworks[] = {
    {"Flask", "python", "flask,Flask,Blueprint", "flask", ""},
    {"FastAPI", "python", "fastapi,FastAPI,APIRouter", "fastapi", ""},
    {"Starlette", "python", "Starlette,Router", "starlette", ""},
    {"Django", "python", "urlpatterns", "", ""},
    {"Express", "ecmascript", "express,Router", "express", ""},
    {"Koa", "ecmascript", "Koa,Router,koa,router", "koa,@koa/router,koa-router", ""},
    {"Fastify", "ecmascript", "fastify,Fastify", "fastify,@fastify", ""},
    {"Hono", "ecmascript", "Hono,hono", "hono", ""},
    {"NestJS", "ecmascript", "Controller", "@nestjs/common", ""},
    {"Gin", "go", "gin", "github.com/gin-gonic/gin", ""},
    {"chi", "go", "chi", "github.com/go-chi/chi", ""},
    {"Echo", "go", "echo", "github.com/labstack/echo", ""},
    {"Fiber", "go", "fiber", "github.com/gofiber/fiber", ""},
    {"Macaron", "go", "macaron", "gopkg.in/macaron", ""},
    {"Flamego", "go", "flamego", "github.com/flamego/flamego", ""},
    {"gorilla/mux", "go", "mux", "github.com/gorilla/mux", ""},
    {"net/http", "go", "HandleFunc,Handle,NewServeMux", "net/http", ""},
    {"Rails", "ruby", "", "", "config/routes.rb,config/routes/"},
    {"Laravel", "php", "", "", "/routes/,routes/,RouteServiceProvider.php"},
    {"Symfony", "php", "Route", "", ""},
    {"Phoenix", "elixir", "", "", "router.ex"},
    {"ASP.NET", "csharp",
     "Route,HttpGet,HttpPost,HttpPut,HttpDelete,HttpPatch,MapGet,MapPost,MapPut,MapDelete,MapGroup",
     "", ""},
    {"Spring", "java,kotlin",
     "RequestMapping,GetMapping,PostMapping,PutMapping,DeleteMapping,PatchMapping", "", ""},
    {"JAX-RS", "java", "Path", "javax.ws.rs,jakarta.ws.rs", ""},
};

constexpr std::string_view kVerbs = "get,post,put,delete,patch,head,options,trace";

constexpr CallRule kCalls[] = {
    {"python", "Flask,FastAPI,Quart,Sanic", RouteAct::kCreateRoot},
    {"python", "Starlette", RouteAct::kCreateRoot, "routes"},
    {"python", "Blueprint", RouteAct::kCreate, "url_prefix"},
    {"python", "APIRouter,Api", RouteAct::kCreate, "prefix"},
    {"python", "Router,DefaultRouter,SimpleRouter", RouteAct::kCreate, "routes"},
    {"python", kVerbs, RouteAct::kVerb},
    {"python", "websocket,websocket_route", RouteAct::kVerb, "", "WEBSOCKET"},
    {"python", "route,api_route,add_url_rule,add_api_route,add_route", RouteAct::kRoute, "methods",
     "GET"},
    {"python", "add_resource", RouteAct::kResource},
    {"python", "register_blueprint", RouteAct::kMount, "url_prefix"},
    {"python", "include_router", RouteAct::kMount, "prefix"},
    {"python", "mount", RouteAct::kMount},
    {"python", "register", RouteAct::kSet},
    {"python", "path,re_path,url", RouteAct::kTable},
    {"ecmascript", "express,fastify,Fastify,Koa,Hono", RouteAct::kCreateRoot},
    {"ecmascript", "Router,OpenAPIHono", RouteAct::kCreate, "prefix"},
    {"ecmascript", kVerbs, RouteAct::kVerb},
    {"ecmascript", "del", RouteAct::kVerb, "", "DELETE"},
    {"ecmascript", "all", RouteAct::kVerb, "", "ANY"},
    {"ecmascript", "use,mount", RouteAct::kMount},
    {"ecmascript", "register", RouteAct::kMount, "prefix"},
    {"ecmascript", "route", RouteAct::kRoute, "method", "ANY"},
    {"ecmascript", "basePath,group", RouteAct::kGroup},
    {"ecmascript", "prefix", RouteAct::kPrefix},
    {"ecmascript", "routes,middleware,callback", RouteAct::kPass},
    {"go", "Default,New,Classic,NewRouter,NewMux,NewServeMux", RouteAct::kCreateRoot},
    {"go", "GET,POST,PUT,DELETE,PATCH,HEAD,OPTIONS,Get,Post,Put,Delete,Patch,Head,Options",
     RouteAct::kVerb},
    {"go", "Any,All", RouteAct::kVerb, "", "ANY"},
    {"go", "Handle,HandleFunc,Method,MethodFunc,Add,Match,Combo", RouteAct::kRoute, "", "ANY"},
    {"go", "Group,Route,PathPrefix", RouteAct::kGroup},
    {"go", "With,Subrouter,StrictSlash,Name,Queries,Host", RouteAct::kPass},
    {"go", "Mount", RouteAct::kMount},
    {"go", "Methods", RouteAct::kMethods},
    {"php", kVerbs, RouteAct::kVerb},
    {"php", "view", RouteAct::kVerb, "", "GET"},
    {"php", "any,redirect,permanentRedirect", RouteAct::kVerb, "", "ANY"},
    {"php", "match", RouteAct::kRoute, "", "ANY"},
    {"php", "resource", RouteAct::kResources},
    {"php", "apiResource", RouteAct::kResources, "", "api"},
    {"php", "resources", RouteAct::kResources},
    {"php", "apiResources", RouteAct::kResources, "", "api"},
    {"php", "singleton", RouteAct::kSingular},
    {"php", "prefix", RouteAct::kGroup, "prefix"},
    {"php", "group", RouteAct::kGroup, "prefix"},
    {"php", "controller", RouteAct::kGroup, "controller"},
    {"php",
     "middleware,name,as,domain,namespace,withoutMiddleware,where,whereNumber,scopeBindings,names,"
     "parameters,withTrashed,shallow,missing,can,defaults",
     RouteAct::kPass},
    {"php", "only,except", RouteAct::kLimit},
    {"ruby", kVerbs, RouteAct::kVerb},
    {"ruby", "match", RouteAct::kRoute, "via", "ANY"},
    {"ruby", "root", RouteAct::kRoot},
    {"ruby", "resources", RouteAct::kResources},
    {"ruby", "resource", RouteAct::kSingular},
    {"ruby", "namespace", RouteAct::kNamespace},
    {"ruby", "scope,controller", RouteAct::kGroup, "path"},
    {"ruby",
     "shallow,constraints,authenticate,authenticated,unauthenticated,devise_scope,defaults,"
     "with_options",
     RouteAct::kPass},
    {"ruby", "member", RouteAct::kMember},
    {"ruby", "collection", RouteAct::kCollection},
    {"ruby", "mount", RouteAct::kMount, "at"},
    {"ruby", "concern,concerns", RouteAct::kConcern},
    {"ruby", "draw", RouteAct::kDraw},
    {"ruby", "devise_for,use_doorkeeper", RouteAct::kOpaque},
    {"elixir", kVerbs, RouteAct::kVerb},
    {"elixir", "live", RouteAct::kVerb, "", "GET"},
    {"elixir", "forward", RouteAct::kVerb, "", "ANY"},
    {"elixir", "match", RouteAct::kRoute, "", "ANY"},
    {"elixir", "resources", RouteAct::kResources},
    {"elixir", "scope", RouteAct::kNamespace},
    {"csharp", "MapGet,MapPost,MapPut,MapDelete,MapPatch", RouteAct::kVerb},
    {"csharp", "MapMethods", RouteAct::kRoute, "", "ANY"},
    {"csharp", "MapGroup", RouteAct::kGroup},
    {"csharp", "RequireAuthorization,AllowAnonymous,WithName,WithTags,WithOpenApi,Produces",
     RouteAct::kPass},
};

constexpr AnnotationRule kAnnotations[] = {
    {"java,kotlin", "RequestMapping", "", "Spring"},
    {"java,kotlin", "GetMapping", "GET", "Spring"},
    {"java,kotlin", "PostMapping", "POST", "Spring"},
    {"java,kotlin", "PutMapping", "PUT", "Spring"},
    {"java,kotlin", "DeleteMapping", "DELETE", "Spring"},
    {"java,kotlin", "PatchMapping", "PATCH", "Spring"},
    {"java", "Path", "", "JAX-RS"},
    {"java", "GET", "GET", "JAX-RS"},
    {"java", "POST", "POST", "JAX-RS"},
    {"java", "PUT", "PUT", "JAX-RS"},
    {"java", "DELETE", "DELETE", "JAX-RS"},
    {"java", "PATCH", "PATCH", "JAX-RS"},
    {"java", "HEAD", "HEAD", "JAX-RS"},
    {"java", "OPTIONS", "OPTIONS", "JAX-RS"},
    {"csharp", "Route", "", "ASP.NET"},
    {"csharp", "HttpGet", "GET", "ASP.NET"},
    {"csharp", "HttpPost", "POST", "ASP.NET"},
    {"csharp", "HttpPut", "PUT", "ASP.NET"},
    {"csharp", "HttpDelete", "DELETE", "ASP.NET"},
    {"csharp", "HttpPatch", "PATCH", "ASP.NET"},
    {"csharp", "HttpHead", "HEAD", "ASP.NET"},
    {"csharp", "HttpOptions", "OPTIONS", "ASP.NET"},
    {"php", "Route", "", "Symfony"},
    {"ecmascript", "Controller", "", "NestJS"},
    {"ecmascript", "Get", "GET", "NestJS"},
    {"ecmascript", "Post", "POST", "NestJS"},
    {"ecmascript", "Put", "PUT", "NestJS"},
    {"ecmascript", "Delete", "DELETE", "NestJS"},
    {"ecmascript", "Patch", "PATCH", "NestJS"},
    {"ecmascript", "Head", "HEAD", "NestJS"},
    {"ecmascript", "Options", "OPTIONS", "NestJS"},
    {"ecmascript", "All", "ANY", "NestJS"},
};

}  // namespace

std::span<const Framework> frameworks() { return kFrameworks; }
std::span<const CallRule> call_rules() { return kCalls; }
std::span<const AnnotationRule> annotation_rules() { return kAnnotations; }

bool is_listed(std::string_view list, std::string_view word) {
  const auto words = split(list, ',');
  return std::ranges::find(words, word) != words.end();
}

}  // namespace codexmem::graph
