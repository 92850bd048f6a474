-- Runs in the editor that type_keys.sh starts: asserts the library, and writes the file `ready`.
local check = require('check')

vim.fn.timer_start(0, function()
  check.same(check.mapped(), { vim.env.LIBUV })
  vim.fn.writefile({ vim.o.columns .. ' ' .. vim.o.lines }, 'ready')
end)
