-- TCP, pipes, UDP, names, processes
local check = require('check')
local uv = require('luv')

local wanted = ('mauve '):rep(300000)
local echoes, datagrams, address, output, status = 0, 0, nil, '', nil

-- Sends `wanted` to an echo server.
local function echo(server, make, connect)
  server:listen(16, function()
    local peer = make()
    server:accept(peer)
    peer:read_start(function(_, data)
      if data then
        peer:write(data)
      else
        peer:shutdown(function() peer:close() end)
      end
    end)
  end)
  local client, parts = make(), {}
  connect(client, function(problem)
    assert(not problem, problem)
    client:read_start(function(_, data)
      if data then
        parts[#parts + 1] = data
        return
      end
      assert(table.concat(parts) == wanted)
      echoes = echoes + 1
      client:close()
      server:close()
    end)
    client:write(wanted)
    client:shutdown()
  end)
end

check.main(uv, function()
  local tcp = uv.new_tcp()
  assert(tcp:bind('127.0.0.1', 0))
  local port = tcp:getsockname().port
  echo(tcp, uv.new_tcp, function(client, ready) client:connect('127.0.0.1', port, ready) end)
  local pipe = uv.new_pipe(false)
  assert(pipe:bind('socket'))
  echo(pipe, function() return uv.new_pipe(false) end, function(client, ready) client:connect('socket', ready) end)

  local server, client = uv.new_udp(), uv.new_udp()
  server:bind('127.0.0.1', 0)
  server:recv_start(function(_, data)
    if not data then return end
    check.same(data, 'datagram')
    datagrams = datagrams + 1
    if datagrams == 50 then server:close(); client:close() end
  end)
  for _ = 1, 50 do client:send('datagram', '127.0.0.1', server:getsockname().port, function() end) end

  uv.getaddrinfo('localhost', nil, { family = 'inet', socktype = 'stream' }, function(problem, found)
    assert(not problem, problem)
    address = found[1].addr
  end)

  local out = uv.new_pipe(false)
  local process
  process = uv.spawn('sh', { args = { '-c', 'seq 10000; exit 4' }, stdio = { nil, out, 2 } }, function(code)
    status = code
    process:close()
  end)
  out:read_start(function(_, data)
    if data then output = output .. data else out:close() end
  end)
end, function()
  check.same(echoes, 2)
  check.same(datagrams, 50)
  check.same(address, '127.0.0.1')
  check.same(#output, 48894)
  check.same(status, 4)
end)
