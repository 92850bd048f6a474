/* uv_os_uname, hostname, uptime, loadavg, cpu_info, memory, gettimeofday and getrusage. Values
 * that change over time are only checked for plausibility. */
#include "test.h"

#include <sys/resource.h>
#include <sys/utsname.h>

int main(void) {
    struct utsname names;
    uv_utsname_t found;
    char host[UV_MAXHOSTNAMESIZE];
    size_t size = sizeof host, length;
    double uptime = 0, again = 0, load[3] = {-1, -1, -1};

    uname(&names);
    print("uname, null: %s", code(uv_os_uname(NULL)));
    print("uname: %s", code(uv_os_uname(&found)));
    print("  [%s] [%s] [%s] [%s]", found.sysname, found.release, found.version, found.machine);

    print("host: %s", code(uv_os_gethostname(host, &size)));
    print("  %d %d", strcmp(host, names.nodename) == 0, size == strlen(host));
    length = size;
    print("host, one short: %s", code(uv_os_gethostname(host, &size)));
    print("  %d", size == length + 1);
    print("host, no buffer: %s", code(uv_os_gethostname(NULL, &size)));
    print("host, no size: %s", code(uv_os_gethostname(host, NULL)));
    size = 0;
    print("host, size 0: %s", code(uv_os_gethostname(host, &size)));

    print("uptime: %s", code(uv_uptime(&uptime)));
    uv_sleep(20);
    print("later: %s", code(uv_uptime(&again)));
    print("  %d", uptime > 0 && again >= uptime);
    uv_loadavg(load);
    print("load: %d", load[0] >= 0 && load[1] >= 0 && load[2] >= 0);

    uv_cpu_info_t *cpus;
    int count;
    print("cpus: %s", code(uv_cpu_info(&cpus, &count)));
    print("  %d", count);
    for (int i = 0; i < count; i++)
        print("  [%s] %d", cpus[i].model, cpus[i].cpu_times.idle + cpus[i].cpu_times.user > 0);
    int parallel = (int)uv_available_parallelism();
    print("parallel: %d", parallel >= 1 && parallel <= count);
    uv_free_cpu_info(cpus, count);

    uint64_t total = uv_get_total_memory();
    print("total: %llu", (unsigned long long)total);
    print("free: %d", uv_get_free_memory() > 0 && uv_get_free_memory() < total);
    size = 0;
    print("resident: %s", code(uv_resident_set_memory(&size)));
    print("  %d", size > 4096 && size < total);

    uv_timeval64_t now;
    print("time, null: %s", code(uv_gettimeofday(NULL)));
    print("time: %s", code(uv_gettimeofday(&now)));
    print("  %d %d", now.tv_sec >= 1700000000, now.tv_usec >= 0 && now.tv_usec < 1000000);

    uv_rusage_t usage;
    struct rusage known;
    print("usage: %s", code(uv_getrusage(&usage)));
    getrusage(RUSAGE_SELF, &known);
    print("  %d", usage.ru_maxrss > 0 && usage.ru_maxrss <= (uint64_t)known.ru_maxrss);
    print("  %d", usage.ru_minflt > 0 && usage.ru_minflt <= (uint64_t)known.ru_minflt);
    print("pids: %d %d", uv_os_getpid() == getpid(), uv_os_getppid() == getppid());
    return 0;
}
