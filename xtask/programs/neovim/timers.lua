-- vim.loop timers, async handles and work; vim.defer_fn
local check = require('check')
local uv = vim.loop

check.main(function()
  local ticks, timer = 0, uv.new_timer()
  timer:start(5, 5, function()
    ticks = ticks + 1
    if ticks == 10 then timer:close() end
  end)
  check.wait('ten ticks', function() return timer:is_closing() end)
  check.same(ticks, 10)

  local order = {}
  for _, ms in ipairs({ 40, 10, 25 }) do
    vim.defer_fn(function() table.insert(order, ms) end, ms)
  end
  check.wait('three calls', function() return #order == 3 end)
  check.same(order, { 10, 25, 40 })

  local sent
  local async = uv.new_async(function(value) sent = value end)
  async:send('hello')
  check.wait('the message', function() return sent end)
  check.same(sent, 'hello')
  async:close()

  local result
  uv.new_work(function(n)
    local sum = 0
    for i = 1, n do sum = sum + i end
    return sum
  end, function(sum) result = sum end):queue(1000)
  check.wait('the work', function() return result end)
  check.same(result, 500500)
end)
