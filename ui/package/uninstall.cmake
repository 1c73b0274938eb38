# SPDX-License-Identifier: Apache-2.0
# The last step of an installation: a script beside what was installed that takes it away again,
# without the build tree, wherever the prefix lies or was moved to.
set(files)
foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
  cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" OUTPUT_VARIABLE name)
  string(APPEND files "${name}\n")
endforeach()
set(script "share/gpufeed/uninstall")
string(APPEND files "${script}\n")
file(READ "${CMAKE_CURRENT_LIST_DIR}/uninstall.in" text)
string(REPLACE "@FILES@\n" "${files}" text "${text}")
set(installed "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${script}")
file(WRITE "${installed}" "${text}")
file(CHMOD "${installed}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
     WORLD_READ WORLD_EXECUTE)
message(STATUS "To take it away again: sh ${CMAKE_INSTALL_PREFIX}/${script}")
