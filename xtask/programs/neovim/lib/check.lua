-- The harness of all checks: asserts the library, runs the check, and prints that it is done.
local check = {}

-- The libuv libraries that this process has mapped.
function check.mapped()
  local found = {}
  for line in io.lines('/proc/self/maps') do
    local path = line:match('(/.*)$')
    if path and path:find('/libuv%.so') then found[path] = true end
  end
  return vim.tbl_keys(found)
end

-- Asserts that two values are equal.
function check.same(got, wanted)
  if not vim.deep_equal(got, wanted) then
    error('got ' .. vim.inspect(got) .. ', not ' .. vim.inspect(wanted), 2)
  end
end

-- Runs the loop until `condition` holds.
function check.wait(what, condition)
  if not vim.wait(20000, condition, 5) then error('timed out: ' .. what, 2) end
end

-- Runs `work` and exits the editor.
function check.main(work)
  local ok, problem = xpcall(function()
    check.same(check.mapped(), { vim.env.LIBUV })
    work()
  end, debug.traceback)
  io.stdout:write(ok and '\nall done\n' or '\n' .. problem .. '\n')
  io.stdout:flush()
  vim.cmd(ok and 'qall!' or 'cquit!')
end

return check
