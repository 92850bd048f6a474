# MoarVM: timers, an echo server, processes, files and signals of Raku
use v6;

# Loaded with the first use of the loop.
sub check-library() {
    my @paths = '/proc/self/maps'.IO.lines.map({ .subst(/^ <-[/]>* /, '') }).grep(*.contains('/libuv.so')).unique;
    die "loaded @paths[]" unless @paths eqv [%*ENV<LIBUV>];
}

# Timers fire in the order of their times.
my @order;
await <30 10 20>.map: -> $ms { Promise.in($ms / 1000).then({ @order.push(+$ms) }) };
die "order @order[]" unless @order.sort eqv (10, 20, 30).Seq;
my $ticks = 0;
react whenever Supply.interval(0.005) { done if ++$ticks == 10 }
check-library;

# 20 clients of an echo server.
my $listening = IO::Socket::Async.listen('127.0.0.1', 0);
my $tap = $listening.tap: -> $connection {
    $connection.Supply(:bin).tap: -> $part { $connection.write($part) }, done => { $connection.close };
};
my $port = await $tap.socket-port;
await (^20).map: -> $id {
    start {
        my $socket = await IO::Socket::Async.connect('127.0.0.1', $port);
        my $sent = ("client $id " x 2000).encode;
        my $got = Buf.new;
        await $socket.write($sent);
        react whenever $socket.Supply(:bin) { $got.append($_); done if $got.elems >= $sent.elems }
        $socket.close;
        die "client $id: $got.elems() bytes" unless $got eq $sent;
    }
};
$tap.close;

# A process with input, output and an exit code.
my $process = Proc::Async.new('sort', '-n', :w);
my $output = '';
$process.stdout.tap: { $output ~= $_ };
my $end = $process.start;
await $process.say(.join("\n")) with (1..500).reverse;
$process.close-stdin;
die 'sort' unless (await $end).exitcode == 0 && $output.lines».Int eqv (1..500).List;
my $failing = Proc::Async.new('sh', '-c', 'exit 7');
die 'exit code' unless (await $failing.start).exitcode == 7;

# A signal.
my $caught = Promise.new;
my $handler = signal(SIGUSR1).tap: { $caught.keep };
run 'kill', '-USR1', ~$*PID;
await Promise.anyof($caught, Promise.in(10));
die 'signal' unless $caught;
$handler.close;
say 'all done';
