local M = {}
local private = {}

M.options = { on_start = function() end, depth = 2 }

function M.setup(options)
  M.options = options or {}
  private.started = true
end

local function tell() end

M.tell, M.count = tell, 1

function private.hidden() M.setup() end

return M
