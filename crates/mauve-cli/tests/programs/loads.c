/* Loads the libraries of its arguments, and calls a function of each. Then does so again, after it has closed
 * them. Prints the error if there is one. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv) {
    for (int pass = 0; pass < 2; pass++) {
        void *libraries[8];
        for (int i = 1; i < argc; i++) {
            libraries[i] = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
            int (*print)(void) = libraries[i] ? (int (*)(void)) dlsym(libraries[i], "print_version") : NULL;
            if (!print) return puts(dlerror()), 1;
            print();
        }
        for (int i = 1; i < argc; i++) dlclose(libraries[i]);
    }
    return 0;
}
