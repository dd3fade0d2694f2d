# Doc
module Acme
using LinearAlgebra, Base: show
import ..Other
include("other.jl")
export greet
"""
    greet(x)

Greets.
"""
function greet(x::Int, y=1; z...)::String where T
    v = helper("nor_this(x) = 1")
    inner(q) = q + 1
    v.field
end
# not_one(x) = 1
short(x) = x + 1
const LIMIT = 10
global g = 1
x = 2
abstract type Named <: Any end
struct User{T} <: Named
    name::String
    age
    User(n) = new(n, 1)
end
mutable struct Mut
    a::Int
end
primitive type P 8 end
macro mac(ex)
    esc(ex)
end
Base.show(io::IO, u::User) = print(io, u.name)
function Base.length(u::User) 1 end
f = x -> x^2
@inline fast(x) = x
@enum Color red green
for i in 1:2 println(i) end
end
