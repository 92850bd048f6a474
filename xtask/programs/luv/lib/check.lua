-- The harness of all checks: asserts the library, runs the check, and prints that it is done.
local check = {}

-- Runs `start`, then the loop until it is done, then `finish`, which checks the results.
function check.main(uv, start, finish)
  local found = {}
  for line in io.lines('/proc/self/maps') do
    local path = line:match('(/.*)$')
    if path and path:find('/libuv%.so') and path ~= found[#found] then found[#found + 1] = path end
  end
  check.same(table.concat(found, ' '), os.getenv('LIBUV'))
  start()
  uv.run()
  finish()
  check.same(uv.loop_alive(), false)
  uv.walk(function(handle) error('left over: ' .. tostring(handle)) end)
  assert(uv.loop_close())
  print('all done')
end

-- Asserts that two values are equal.
function check.same(got, wanted)
  if got ~= wanted then
    error('got ' .. tostring(got) .. ', not ' .. tostring(wanted), 2)
  end
end

return check
