-- 50 timers and 50 jobs of an editor
local luv = vim.loop
local ticks, jobs = 0, 0
for _ = 1, 50 do
  local timer = luv.new_timer()
  timer:start(1, 0, function()
    ticks = ticks + 1
    timer:close()
  end)
  luv.fs_stat('.', function(err)
    assert(not err, err)
    jobs = jobs + 1
  end)
end
assert(vim.wait(20000, function() return ticks == 50 and jobs == 50 end, 10))
print('all done\n')
vim.cmd('qa!')
