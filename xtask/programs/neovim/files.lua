-- vim.loop files and watchers; buffers written and read
local check = require('check')
local uv = vim.loop

check.main(function()
  local descriptor = assert(uv.fs_open('plain', 'w', 420))
  check.same(uv.fs_write(descriptor, 'hello world', 0), 11)
  uv.fs_close(descriptor)
  local size
  uv.fs_stat('plain', function(_, stat) size = stat.size end)
  check.wait('the size', function() return size end)
  check.same(size, 11)
  local _, problem = uv.fs_open('none', 'r', 0)
  check.same(problem, 'ENOENT: no such file or directory: none')

  local lines = {}
  for i = 1, 20000 do lines[i] = 'line ' .. i end
  vim.api.nvim_buf_set_lines(0, 0, -1, true, lines)
  vim.cmd('write! buffer')
  vim.cmd('enew! | edit buffer')
  check.same(vim.api.nvim_buf_get_lines(0, 0, -1, true), lines)
  check.same(vim.fn.getfsize('buffer'), 208894)

  vim.fn.mkdir('folder')
  local seen
  local watcher = uv.new_fs_event()
  watcher:start('folder', {}, function(_, name) seen = name end)
  vim.fn.writefile({ 'x' }, 'folder/new')
  check.wait('the watcher', function() return seen end)
  check.same(seen, 'new')
  watcher:close()
  check.same(vim.fn.readdir('folder'), { 'new' })
  vim.fn.delete('folder', 'rf')
  check.same(vim.fn.isdirectory('folder'), 0)
end)
