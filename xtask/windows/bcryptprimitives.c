/* wine 8 lacks this DLL, from which Rust's standard library imports a source of random bytes. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count) {
  return SystemFunction036(bytes, (ULONG) count);
}
