# Compiles for TERTIUM_TARGET with the clang, libc++ and linkers of PyPI's ziglang (tools/release/zig.py).
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TERTIUM_PYTHON TERTIUM_TARGET TERTIUM_RUNTIME)
if(TERTIUM_TARGET MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${TERTIUM_TARGET})
set(CMAKE_CXX_COMPILER ${TERTIUM_PYTHON} ${CMAKE_CURRENT_LIST_DIR}/zig_compiler.py c++ -target ${TERTIUM_TARGET})
# Its C library is newer than the one that Python's pyconfig.h was made with: both name a version of POSIX.
# nanobind 3.1 writes to stderr, and on Linux neither the stable ABI's Python.h nor LLVM's library brings stdio.h.
set(CMAKE_CXX_FLAGS_INIT "-Wno-macro-redefined -include stdio.h")
# GCC's runtime first: Zig's has an exp and a log of its own, which would come before the C library's, and no __cpu_model.
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "${TERTIUM_RUNTIME}")
set(CMAKE_AR ${TERTIUM_PYTHON})
set(CMAKE_CXX_ARCHIVE_CREATE "<CMAKE_AR> -m ziglang ar qc <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "")
