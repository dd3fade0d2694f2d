#include "graph/core/environments.h"

#include <functional>

namespace codexmem::graph {
namespace {

// Deeper nesting adds no useful information.
constexpr std::uint32_t kMaxNesting = 5;
// The maximum size of a union after substitution.
constexpr std::size_t kMaxSubstituted = 64;

void mix(std::size_t& hash, std::size_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
  hash ^= hash >> 29U;
}

void mix(std::size_t& hash, const Entity& entity) {
  mix(hash, static_cast<std::size_t>(entity.kind));
  mix(hash, std::hash<const void*>()(entity.file));
  mix(hash, entity.index);
  mix(hash, std::hash<const void*>()(entity.environment));
}

void mix(std::size_t& hash, const Entities& entities) {
  mix(hash, entities.size());
  for (const Entity& entity : entities) mix(hash, entity);
}

std::size_t hash_of(const Environment& environment) {
  std::size_t hash = 0;
  for (const auto& [parameter, values] : environment.bound) {
    mix(hash, parameter);
    mix(hash, values);
  }
  mix(hash, environment.self);
  for (const Entities& argument : environment.arguments) mix(hash, argument);
  return hash;
}

bool are_equal(const Environment& a, const Environment& b) {
  return a.bound == b.bound && a.self == b.self && a.arguments == b.arguments;
}

std::uint32_t depth_of(const Entities& entities) {
  std::uint32_t depth = 0;
  for (const Entity& entity : entities) {
    if (entity.environment != nullptr) depth = std::max(depth, entity.environment->depth + 1);
  }
  return depth;
}

bool is_parameter(const Entity& entity) {
  return entity.kind == EntityKind::kTypeParameter || entity.kind == EntityKind::kTypeVariable ||
         entity.kind == EntityKind::kSelf;
}

// True for kinds that may refer to type parameters bound outside of them.
bool is_open(EntityKind kind) {
  return kind == EntityKind::kFunction || kind == EntityKind::kObject ||
         kind == EntityKind::kTerm || kind == EntityKind::kLate || kind == EntityKind::kSymbol;
}

}  // namespace

const Environment* Environments::intern(Environment environment) {
  if (environment.bound.empty() && environment.self.empty() && environment.arguments.empty()) {
    return nullptr;
  }
  environment.depth = depth_of(environment.self);
  for (const auto& [parameter, values] : environment.bound) {
    environment.depth = std::max(environment.depth, depth_of(values));
  }
  for (const Entities& argument : environment.arguments) {
    environment.depth = std::max(environment.depth, depth_of(argument));
  }
  if (environment.depth > kMaxNesting) return nullptr;
  const auto is_any_generic = [](const auto& lists, auto list_of) {
    return std::any_of(lists.begin(), lists.end(),
                       [&](const auto& item) { return is_generic(list_of(item)); });
  };
  environment.is_generic =
      is_generic(environment.self) ||
      is_any_generic(environment.bound,
                     [](const auto& item) -> const Entities& { return item.second; }) ||
      is_any_generic(environment.arguments,
                     [](const Entities& item) -> const Entities& { return item; });
  auto& same_hash = known_[hash_of(environment)];
  for (const auto& known : same_hash) {
    if (are_equal(*known, environment)) return known.get();
  }
  same_hash.push_back(std::make_unique<const Environment>(std::move(environment)));
  return same_hash.back().get();
}

std::size_t Environments::HashInside::operator()(const Inside& key) const {
  std::size_t hash = key.is_open ? 1 : 0;
  mix(hash, std::hash<const void*>()(key.inner));
  mix(hash, std::hash<const void*>()(key.outer));
  return hash;
}

// `inner` as seen where `outer` holds; an open one takes the parameters of `outer` along.
const Environment* Environments::inside(const Environment* inner, const Environment& outer,
                                        bool is_open) {
  if (inner == nullptr) return is_open ? &outer : nullptr;
  if (!is_open && !inner->is_generic) return inner;
  const auto [known, is_new] = inside_.try_emplace({inner, &outer, is_open}, nullptr);
  if (!is_new) return known->second;
  Environment environment;
  for (const auto& [parameter, values] : inner->bound) {
    environment.bound.emplace_back(parameter, substitute(values, &outer));
  }
  environment.self = substitute(inner->self, &outer);
  for (const Entities& argument : inner->arguments) {
    environment.arguments.push_back(substitute(argument, &outer));
  }
  if (is_open) {
    for (const auto& entry : outer.bound) {
      if (environment.find(entry.first) == nullptr) environment.bound.push_back(entry);
    }
    if (environment.self.empty()) environment.self = outer.self;
  }
  return inside_[{inner, &outer, is_open}] = intern(std::move(environment));
}

void Environments::substitute(const Entity& entity, const Environment& environment,
                              Entities& found) {
  if (found.size() >= kMaxSubstituted) return;
  if (entity.kind == EntityKind::kSelf) {
    if (environment.self.empty()) {
      add_result(found, entity);
    } else {
      add_results(found, environment.self);
    }
    return;
  }
  if (is_parameter(entity)) {
    if (const Entities* values = environment.find(entity)) return add_results(found, *values);
    return add_result(found, entity);
  }
  const bool takes_along = is_open(entity.kind) && entity.kind != EntityKind::kSymbol;
  if (entity.environment == nullptr && !takes_along) return add_result(found, entity);
  Entity changed = entity;
  changed.environment = inside(entity.environment, environment, takes_along);
  // A container without arguments does not count.
  const bool needs_arguments =
      !takes_along && !entity.environment->arguments.empty() &&
      (entity.kind == EntityKind::kContainer || entity.kind == EntityKind::kMethod ||
       entity.kind == EntityKind::kCallback);
  add_result(found, needs_arguments && changed.environment == nullptr ? kUnknownEntity : changed);
}

Entities Environments::substitute(const Entities& entities, const Environment* environment) {
  if (environment == nullptr) return entities;
  Entities found;
  found.reserve(entities.size());
  for (const Entity& entity : entities) substitute(entity, *environment, found);
  return found;
}

bool mentions(const Entities& entities, const Entity& parameter) {
  return std::any_of(entities.begin(), entities.end(), [&](const Entity& entity) {
    if (entity == parameter) return true;
    if (entity.environment == nullptr || !entity.environment->is_generic) return false;
    const Environment& inner = *entity.environment;
    return mentions(inner.self, parameter) ||
           std::any_of(inner.bound.begin(), inner.bound.end(),
                       [&](const auto& entry) { return mentions(entry.second, parameter); }) ||
           std::any_of(inner.arguments.begin(), inner.arguments.end(),
                       [&](const Entities& argument) { return mentions(argument, parameter); });
  });
}

bool is_generic(const Entities& entities) {
  return std::any_of(entities.begin(), entities.end(), [](const Entity& entity) {
    if (is_parameter(entity)) return true;
    if (is_open(entity.kind) && entity.kind != EntityKind::kSymbol) return true;
    return entity.environment != nullptr && entity.environment->is_generic;
  });
}

}  // namespace codexmem::graph
