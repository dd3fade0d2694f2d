function before() return 1 end

function damaged(
  local x = {
end

function after()
  before(
end

local M = {}
function M.last() end
return M
