/* needs: 1.53 */
/* The speed of a CPU is its highest frequency, or 0 if the system does not limit it. */
#include "test.h"

int main(void) {
    uv_cpu_info_t *cpus;
    int count;
    EXPECT(uv_cpu_info(&cpus, &count), 0);
    for (int i = 0; i < count; i++) {
        char path[100];
        int kilohertz = 0;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_max_freq", i);
        FILE *file = fopen(path, "r");
        if (file != NULL) {
            EXPECT(fscanf(file, "%d", &kilohertz), 1);
            fclose(file);
        }
        EXPECT(cpus[i].speed, kilohertz / 1000);
    }
    uv_free_cpu_info(cpus, count);
    return 0;
}
