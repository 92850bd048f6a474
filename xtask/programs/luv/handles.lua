-- timers, phases, async handles, work, signals
local check = require('check')
local uv = require('luv')

local order, ticks, sent, sum, signals = {}, 0, nil, nil, 0

check.main(uv, function()
  for _, ms in ipairs({ 30, 10, 20 }) do
    local timer = uv.new_timer()
    timer:start(ms, 0, function() order[#order + 1] = ms; timer:close() end)
  end
  local timer = uv.new_timer()
  timer:start(1, 1, function()
    ticks = ticks + 1
    if ticks == 20 then timer:close() end
  end)
  local prepare, idle, phases = uv.new_prepare(), uv.new_idle(), uv.new_check()
  local seen = ''
  idle:start(function() seen = seen .. 'i' end)
  prepare:start(function() seen = seen .. 'p' end)
  phases:start(function()
    check.same(seen, 'ip')
    for _, handle in ipairs({ prepare, idle, phases }) do handle:close() end
  end)

  local async
  async = uv.new_async(function(value) sent = value; async:close() end)
  uv.new_thread(function(handle) handle:send('from a thread') end, async)
  uv.new_work(function(n)
    local total = 0
    for i = 1, n do total = total + i end
    return total
  end, function(total) sum = total end):queue(1000)

  local signal = uv.new_signal()
  signal:start('sigusr1', function()
    signals = signals + 1
    if signals == 5 then signal:close() else uv.kill(uv.os_getpid(), 'sigusr1') end
  end)
  uv.kill(uv.os_getpid(), 'sigusr1')
end, function()
  check.same(table.concat(order, ' '), '10 20 30')
  check.same(ticks, 20)
  check.same(sent, 'from a thread')
  check.same(sum, 500500)
  check.same(signals, 5)
end)
