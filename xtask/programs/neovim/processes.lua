-- vim.loop.spawn, system(), :!, jobs, a terminal buffer
local check = require('check')
local uv = vim.loop

check.main(function()
  local output, pipe, ended = '', uv.new_pipe(), nil
  local handle = uv.spawn('sh', { args = { '-c', 'seq 5; exit 4' }, stdio = { nil, pipe, nil } },
    function(code, signal) ended = { code, signal } end)
  pipe:read_start(function(_, data)
    if data then output = output .. data else pipe:close() end
  end)
  check.wait('the process', function() return ended and pipe:is_closing() end)
  check.same({ output, ended }, { '1\n2\n3\n4\n5\n', { 4, 0 } })
  handle:close()

  check.same(vim.fn.system('tr a-z A-Z', 'shout'), 'SHOUT')
  check.same(#vim.fn.system('seq 100000'), 588895)
  vim.fn.system('exit 6')
  check.same(vim.v.shell_error, 6)
  vim.cmd('silent !echo from the shell > shell')
  check.same(vim.fn.readfile('shell'), { 'from the shell' })
  vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'c', 'a', 'b' })
  vim.cmd('silent %!sort')
  check.same(vim.api.nvim_buf_get_lines(0, 0, -1, true), { 'a', 'b', 'c' })

  local heard, status = '', nil
  local job = vim.fn.jobstart({ 'cat' }, {
    on_stdout = function(_, data) heard = heard .. table.concat(data, '\n') end,
    on_exit = function(_, code) status = code end,
  })
  vim.fn.chansend(job, 'echoed')
  check.wait('the echo', function() return heard == 'echoed' end)
  vim.fn.chanclose(job, 'stdin')
  check.wait('the end of the job', function() return status end)
  check.same(status, 0)
  status = nil
  job = vim.fn.jobstart({ 'sleep', '100' }, { on_exit = function(_, code) status = code end })
  check.same(vim.fn.jobstop(job), 1)
  check.wait('the end of the stopped job', function() return status end)
  check.same(status, 143)

  vim.cmd('enew!')
  job = vim.fn.termopen({ 'sh', '-c', 'test -t 1 && read line && echo "terminal heard $line"; exit 3' })
  vim.fn.chansend(job, 'mauve\n')
  check.same(vim.fn.jobwait({ job }, 20000), { 3 })
  check.wait('the terminal', function()
    local lines = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
    return lines:find('terminal heard mauve', 1, true)
  end)
end)
