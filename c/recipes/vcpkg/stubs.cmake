# Stands for vcpkg itself, as far as the port asks for it, so that the port can be tried without:
#   cmake -DPORT=DIR -DSOURCES=DIR -DCURRENT_PACKAGES_DIR=DIR -DCURRENT_BUILDTREES_DIR=DIR -DVCPKG_TARGET_ARCHITECTURE=x64
#     -DVCPKG_LIBRARY_LINKAGE=static [-DFEATURES=small] -P stubs.cmake
cmake_policy(VERSION 3.25)
set(TARGET_TRIPLET ${VCPKG_TARGET_ARCHITECTURE}-linux)

function(vcpkg_from_git)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUT_SOURCE_PATH;URL;REF" "")
  set(${arg_OUT_SOURCE_PATH} "${SOURCES}" PARENT_SCOPE)
endfunction()

function(vcpkg_execute_required_process)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "WORKING_DIRECTORY;LOGNAME" "COMMAND")
  execute_process(
    COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${arg_WORKING_DIRECTORY}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  foreach(file IN LISTS arg_FILE_LIST)
    file(READ "${file}" text)
    file(APPEND "${CURRENT_PACKAGES_DIR}/share/lanner/copyright" "${text}\n")
  endforeach()
endfunction()

include("${PORT}/portfile.cmake")
