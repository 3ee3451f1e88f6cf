# Compiles for 64-bit ARM with Debian's g++-aarch64-linux-gnu; TERTIUM_SYSROOT has that machine's Python (tools/release/cross.py).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_STRIP aarch64-linux-gnu-strip)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TERTIUM_SYSROOT)
# Python's pyconfig.h is named through the machine's own folder of headers; those of the C library are the compiler's.
set(CMAKE_CXX_FLAGS_INIT "-Wno-psabi -idirafter ${TERTIUM_SYSROOT}/usr/include")
set(Python_INCLUDE_DIR ${TERTIUM_SYSROOT}/usr/include/python3.11)
set(SKBUILD_SOABI cpython-311-aarch64-linux-gnu)
set(SKBUILD_SOSABI abi3)
