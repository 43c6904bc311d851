# Built by cargo, which must be there: vcpkg brings no compiler of Rust.
vcpkg_from_git(
  OUT_SOURCE_PATH SOURCE_PATH
  URL https://lanner.invalid/lanner.git
  # The commit of v0.1.0.
  REF 0000000000000000000000000000000000000000)

find_program(CARGO cargo PATHS "$ENV{HOME}/.cargo/bin")
if(NOT CARGO)
  message(FATAL_ERROR "lanner is built by cargo, which is not there: https://rustup.rs")
endif()

if(VCPKG_TARGET_ARCHITECTURE STREQUAL "x64")
  set(triple x86_64-unknown-linux-gnu)
elseif(VCPKG_TARGET_ARCHITECTURE STREQUAL "x86")
  set(triple i686-unknown-linux-gnu)
else()
  set(triple aarch64-unknown-linux-gnu)
endif()

# One library serves both: nobody debugs into it with other flags.
set(VCPKG_BUILD_TYPE release)
set(small)
if("small" IN_LIST FEATURES)
  set(small --small)
endif()
vcpkg_execute_required_process(
  COMMAND "${CMAKE_COMMAND}" -E env "CARGO_TARGET_DIR=${CURRENT_BUILDTREES_DIR}/cargo"
          "${CARGO}" xtask c-install --target ${triple} --prefix "${CURRENT_PACKAGES_DIR}" ${small}
  WORKING_DIRECTORY "${SOURCE_PATH}"
  LOGNAME "install-${TARGET_TRIPLET}")

# One kind of library, as the triplet says.
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  # With the file of pkg-config of the one that is shared alone.
  file(GLOB others "${CURRENT_PACKAGES_DIR}/lib/*.so*" "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/lanner-core.pc")
else()
  set(others "${CURRENT_PACKAGES_DIR}/lib/liblanner.a")
endif()
file(REMOVE ${others})
# It lists them.
file(REMOVE "${CURRENT_PACKAGES_DIR}/share/lanner/installed")

# Files of CMake lie in share/, a directory less deep than where they were made for.
file(GLOB configs "${CURRENT_PACKAGES_DIR}/lib/cmake/lanner/*.cmake")
foreach(config IN LISTS configs)
  file(READ "${config}" text)
  string(REPLACE "/../../.." "/../.." text "${text}")
  get_filename_component(name "${config}" NAME)
  file(WRITE "${CURRENT_PACKAGES_DIR}/share/lanner/${name}" "${text}")
endforeach()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/lib/cmake")
vcpkg_fixup_pkgconfig()

file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/lanner")
set(doc "${CURRENT_PACKAGES_DIR}/share/doc/lanner")
vcpkg_install_copyright(
  FILE_LIST "${doc}/LICENSE-MIT" "${doc}/LICENSE-APACHE" "${doc}/THIRD-PARTY-LICENSES")
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc" "${CURRENT_PACKAGES_DIR}/share/man")
