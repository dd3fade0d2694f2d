#!/usr/bin/env lua
-- Words and their counts.
local text = require("text.words")
local insert <const> = table.insert

-- How many are kept.
-- No more.
LIMIT = 10
local total, last = 0
total = total + 1

local function helper(word)
  local count = 0 -- behind code
  count = count + 1
  seen = word
  return count, LIMIT
end

function run(...)
  for i, word in ipairs({ ... }) do
    local function inner() return helper(word) end
    if word == "x" then goto done end
    inner()
  end
  ::done::
end

local twice = function(f) return f(f()) end

-- Counts words.
local Counter = {
  size = 0,
  ["quoted key"] = 1,
  names = { first = "a" },
  reset = function(self) self.size = 0 end,
}
Counter.__index = Counter
Counter.VERSION = "1.0"

function Counter.new(size)
  local self = setmetatable({ size = size }, Counter)
  return self
end

--- Adds a word.
-- @param word the word
function Counter:add(word)
  self.size = self.size + 1
  insert(self, text.lower(word))
  return self:add(word).size
end

--[[
  Removes a word.
]]
Counter.remove = function(self, word)
  self[word] = nil
end

function Counter.parts.first() end

do
  local hidden = 1
  function visible() return hidden end
end

if LIMIT then LATE = true end

return { run = run, each = function(f) f() end }
