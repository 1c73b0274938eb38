# SPDX-License-Identifier: Apache-2.0
# The program as one file that needs nothing of a system, linked anew of what was compiled for gpufeed,
# and in a tarball with its data: targets gpufeed-static and gpufeed-tarball, built when asked for.
# Without the window, SimGrid, and what hwloc loads as it runs.
get_property(layers GLOBAL PROPERTY GPUFEED_LAYERS)
list(TRANSFORM layers REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE layer_files)
add_executable(gpufeed-static EXCLUDE_FROM_ALL ui/package/static_libraries.cpp $<TARGET_OBJECTS:gpufeed>)
add_dependencies(gpufeed-static gpufeed ${layers})
target_compile_options(gpufeed-static PRIVATE -w)  # code of others
target_link_options(gpufeed-static PRIVATE -static -w)
# By name: the targets of these are shared libraries.
target_link_libraries(gpufeed-static PRIVATE
  -Wl,--start-group ${layer_files} -lyaml-cpp -lexpat -lhwloc -lsqlite3 -ljpeg -lpng16 -lz -ldlib -Wl,--end-group)

set(name gpufeed-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(tree ${PROJECT_BINARY_DIR}/static/${name})
add_custom_target(gpufeed-tarball
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${tree}
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --component data --prefix ${tree}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${tree}/bin
  COMMAND ${CMAKE_STRIP} -o ${tree}/bin/gpufeed $<TARGET_FILE:gpufeed-static>
  COMMAND ${CMAKE_COMMAND} -E copy LICENSE CHANGELOG.md ${tree}
  COMMAND tar -C ${PROJECT_BINARY_DIR}/static --owner=0 --group=0 -caf ${PROJECT_BINARY_DIR}/${name}.tar.xz ${name}
  COMMENT "build: ${name}.tar.xz"
  DEPENDS gpufeed-static
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  VERBATIM)
