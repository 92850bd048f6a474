-- vim.loop TCP, pipes, UDP and names; another Neovim over its RPC
local check = require('check')
local uv = vim.loop

local function echo(server, connect)
  server:listen(16, function()
    local peer = uv.handle_get_type(server) == 'pipe' and uv.new_pipe() or uv.new_tcp()
    server:accept(peer)
    peer:read_start(function(_, data)
      if data then peer:write(data) else peer:close() end
    end)
  end)
  local text, wanted, ended = {}, ('mauve '):rep(200000), false
  connect(function(client)
    client:read_start(function(_, data)
      if data then table.insert(text, data) else client:close(); ended = true end
    end)
    client:write(wanted)
    client:shutdown()
  end)
  check.wait('the echo', function() return ended end)
  check.same(table.concat(text) == wanted, true)
  server:close()
end

check.main(function()
  local tcp = uv.new_tcp()
  tcp:bind('127.0.0.1', 0)
  local port = tcp:getsockname().port
  echo(tcp, function(ready)
    local client = uv.new_tcp()
    client:connect('127.0.0.1', port, function(problem) assert(not problem, problem); ready(client) end)
  end)

  local name = vim.fn.tempname()
  local pipe = uv.new_pipe()
  pipe:bind(name)
  echo(pipe, function(ready)
    local client = uv.new_pipe()
    client:connect(name, function(problem) assert(not problem, problem); ready(client) end)
  end)

  local server, client, got = uv.new_udp(), uv.new_udp(), nil
  server:bind('127.0.0.1', 0)
  server:recv_start(function(_, data) got = data or got end)
  client:send('datagram', '127.0.0.1', server:getsockname().port, function() end)
  check.wait('the datagram', function() return got end)
  check.same(got, 'datagram')
  server:close()
  client:close()

  local addresses
  uv.getaddrinfo('localhost', nil, { family = 'inet', socktype = 'stream' }, function(_, found) addresses = found end)
  check.wait('the name', function() return addresses end)
  check.same(addresses[1].addr, '127.0.0.1')

  -- Another Neovim, embedded, evaluates expressions over RPC.
  local other = vim.fn.jobstart({ vim.v.progpath, '--clean', '--embed', '--headless' }, { rpc = true })
  for i = 1, 200 do check.same(vim.rpcrequest(other, 'nvim_eval', i .. ' * 2'), i * 2) end
  check.same(vim.rpcrequest(other, 'nvim_eval', 'len(range(50000))'), 50000)
  vim.fn.chanclose(other)
  check.same(vim.fn.jobwait({ other }, 10000)[1] ~= -1, true)
end)
