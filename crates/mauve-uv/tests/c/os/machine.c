/* What the machine is. The figures differ from moment to moment, so only their sense is shown. */
#include "say.h"

#include <sys/resource.h>
#include <sys/utsname.h>

int main(void) {
    struct utsname names;
    uv_utsname_t found;
    char host[UV_MAXHOSTNAMESIZE];
    size_t size = sizeof host, length;
    double uptime = 0, again = 0, load[3] = {-1, -1, -1};

    uname(&names);
    say("uname nowhere: %s", code(uv_os_uname(NULL)));
    say("uname: %s", code(uv_os_uname(&found)));
    say("  [%s] [%s] [%s] [%s]", found.sysname, found.release, found.version, found.machine);

    say("host: %s", code(uv_os_gethostname(host, &size)));
    say("  %d %d", strcmp(host, names.nodename) == 0, size == strlen(host));
    length = size;
    say("host, one short: %s", code(uv_os_gethostname(host, &size)));
    say("  %d", size == length + 1);
    say("host, no buffer: %s", code(uv_os_gethostname(NULL, &size)));
    say("host, no size: %s", code(uv_os_gethostname(host, NULL)));
    size = 0;
    say("host, size 0: %s", code(uv_os_gethostname(host, &size)));

    say("uptime: %s", code(uv_uptime(&uptime)));
    uv_sleep(20);
    say("later: %s", code(uv_uptime(&again)));
    say("  %d", uptime > 0 && again >= uptime);
    uv_loadavg(load);
    say("load: %d", load[0] >= 0 && load[1] >= 0 && load[2] >= 0);

    uv_cpu_info_t *cpus;
    int count;
    say("cpus: %s", code(uv_cpu_info(&cpus, &count)));
    say("  %d", count);
    for (int i = 0; i < count; i++)
        say("  [%s] %d", cpus[i].model, cpus[i].cpu_times.idle + cpus[i].cpu_times.user > 0);
    int parallel = (int)uv_available_parallelism();
    say("parallel: %d", parallel >= 1 && parallel <= count);
    uv_free_cpu_info(cpus, count);

    uint64_t total = uv_get_total_memory();
    say("total: %llu", (unsigned long long)total);
    say("free: %d", uv_get_free_memory() > 0 && uv_get_free_memory() < total);
    size = 0;
    say("resident: %s", code(uv_resident_set_memory(&size)));
    say("  %d", size > 4096 && size < total);

    uv_timeval64_t now;
    say("time nowhere: %s", code(uv_gettimeofday(NULL)));
    say("time: %s", code(uv_gettimeofday(&now)));
    say("  %d %d", now.tv_sec >= 1700000000, now.tv_usec >= 0 && now.tv_usec < 1000000);

    uv_rusage_t usage;
    struct rusage known;
    say("usage: %s", code(uv_getrusage(&usage)));
    getrusage(RUSAGE_SELF, &known);
    say("  %d", usage.ru_maxrss > 0 && usage.ru_maxrss <= (uint64_t)known.ru_maxrss);
    say("  %d", usage.ru_minflt > 0 && usage.ru_minflt <= (uint64_t)known.ru_minflt);
    say("pids: %d %d", uv_os_getpid() == getpid(), uv_os_getppid() == getppid());
    return 0;
}
