# subprocesses and signals
import asyncio
import os
import signal
from asyncio.subprocess import PIPE

from check import main


async def run(program, *arguments, given=None):
    process = await asyncio.create_subprocess_exec(program, *arguments, stdin=PIPE, stdout=PIPE, stderr=PIPE)
    output, errors = await process.communicate(given)
    return process.returncode, output, errors


async def work():
    assert await run("sh", "-c", "cat; echo oops >&2; exit 3", given=b"x" * 300000) == (3, b"x" * 300000, b"oops\n")
    ends = await asyncio.gather(*(run("sh", "-c", f"exit {i}") for i in range(30)))
    assert [code for code, _, _ in ends] == list(range(30))
    sleeper = await asyncio.create_subprocess_exec("sleep", "100")
    sleeper.send_signal(signal.SIGKILL)
    assert await sleeper.wait() == -signal.SIGKILL
    shell = await asyncio.create_subprocess_shell("pwd", cwd="/", stdout=PIPE)
    assert (await shell.communicate())[0] == b"/\n"
    # It runs in the child, in a handler of pthread_atfork.
    masked = await asyncio.create_subprocess_exec("sh", "-c", "umask", stdout=PIPE, preexec_fn=lambda: os.umask(0o123))
    assert (await masked.communicate())[0] == b"0123\n"
    try:
        await run("/no/such/program")
    except FileNotFoundError:
        pass
    else:
        raise AssertionError("a program that is not there was started")

    loop = asyncio.get_running_loop()
    for number in (signal.SIGUSR1, signal.SIGHUP, signal.SIGTERM):
        for _ in range(20):
            caught = asyncio.Event()
            loop.add_signal_handler(number, caught.set)
            os.kill(os.getpid(), number)
            await caught.wait()
        assert loop.remove_signal_handler(number)


main(work)
