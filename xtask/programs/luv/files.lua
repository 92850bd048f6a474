-- files: with callbacks, with coroutines, synchronous; watchers
local check = require('check')
local uv = require('luv')

local text, event, polled, finished

check.main(uv, function()
  local file = assert(uv.fs_open('plain', 'w+', 420))
  check.same(uv.fs_write(file, { 'hello ', 'world' }, 0), 11)
  uv.fs_read(file, 100, 6, function(problem, data)
    assert(not problem, problem)
    text = data
    uv.fs_close(file)
  end)
  local _, message, name = uv.fs_stat('none')
  check.same(message, 'ENOENT: no such file or directory: none')
  check.same(name, 'ENOENT')
  assert(uv.fs_mkdir('folder', 493))

  local watcher = uv.new_fs_event()
  watcher:start('folder', {}, function(_, found) event = event or found; watcher:close() end)
  local poll = uv.new_fs_poll()
  poll:start('plain', 10, function(problem, _, stat)
    if not problem and stat.size == 3 then polled = true; poll:close() end
  end)
  local timer = uv.new_timer()
  timer:start(50, 0, function()
    timer:close()
    uv.fs_close(assert(uv.fs_open('folder/new', 'w', 420)))
    local again = assert(uv.fs_open('plain', 'r+', 420))
    uv.fs_ftruncate(again, 3)
    uv.fs_close(again)
  end)

  coroutine.wrap(function()
    local self = coroutine.running()
    local resume = function(...) coroutine.resume(self, ...) end
    for i = 1, 100 do
      uv.fs_open('many' .. i, 'w', 420, resume)
      local problem, descriptor = coroutine.yield()
      assert(not problem, problem)
      uv.fs_write(descriptor, ('x'):rep(i), 0, resume)
      problem = coroutine.yield()
      assert(not problem, problem)
      uv.fs_close(descriptor, resume)
      coroutine.yield()
      check.same(uv.fs_stat('many' .. i).size, i)
    end
    finished = true
  end)()
end, function()
  check.same(text, 'world')
  check.same(event, 'new')
  check.same(polled, true)
  check.same(finished, true)
  local names = 0
  local scan = uv.fs_scandir('.')
  while uv.fs_scandir_next(scan) do names = names + 1 end
  assert(names >= 102)
end)
