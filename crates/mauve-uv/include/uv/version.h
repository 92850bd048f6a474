/* The version of the interface. Made by `cargo xtask generate`; do not edit. */

#ifndef UV_VERSION_H
#define UV_VERSION_H

/* The libuv whose functions and types these are. */
#define UV_VERSION_MAJOR 1
#define UV_VERSION_MINOR 52
#define UV_VERSION_PATCH 2

/* Who implements them: uv_version_string() ends in "-mauve". */
#define UV_VERSION_IS_RELEASE 0
#define UV_VERSION_SUFFIX "mauve"

/* For comparisons: 0x013402 is 1.52.2. */
#define UV_VERSION_HEX ((UV_VERSION_MAJOR << 16) | (UV_VERSION_MINOR << 8) | UV_VERSION_PATCH)

#endif
