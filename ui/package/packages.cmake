# SPDX-License-Identifier: Apache-2.0
# Debian packages of what `cmake --install` installs, by cpack -G DEB: one a component.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME gpufeed)
set(CPACK_PACKAGE_VENDOR "The gpufeed authors")
set(GPUFEED_MAINTAINER "The gpufeed authors <gpufeed@localhost>" CACHE STRING
    "Who packages this, with an address: whoever hands packages on says theirs")
set(CPACK_PACKAGE_CONTACT "${GPUFEED_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/strip_probe.cmake)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "say whether a machine keeps its GPUs busy")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program data)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Simulates how training data travel from drives or a shared store over
 network, PCIe, CPU sockets and host memory to the GPUs, and says how fast a
 job trains, how long GPUs stand still and what holds them back.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME gpufeed)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "gpufeed-data (= ${PROJECT_VERSION}), python3:any")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "gpufeed-ui, fio")

# What Debian wants of each package: its license, and what has changed.
function(add_package_notes component package)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/notes/${package}/copyright @ONLY CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gpufeed

Files: *
Copyright: The gpufeed authors
License: Apache-2.0
 On Debian systems, the full text of the Apache License 2.0 is in
 /usr/share/common-licenses/Apache-2.0.
")
  set(changes ${PROJECT_BINARY_DIR}/notes/${package}/changelog)
  file(CONFIGURE OUTPUT ${changes} @ONLY CONTENT
"gpufeed (@PROJECT_VERSION@) unstable; urgency=medium

  * See CHANGELOG.md in /usr/share/doc/gpufeed.

 -- @GPUFEED_MAINTAINER@  Thu, 01 Jan 1970 00:00:00 +0000
")
  find_program(GZIP_PROGRAM gzip REQUIRED)
  execute_process(COMMAND ${GZIP_PROGRAM} -n9kf ${changes})
  install(FILES ${PROJECT_BINARY_DIR}/notes/${package}/copyright ${changes}.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()

add_package_notes(program gpufeed)
set(CPACK_COMPONENT_DATA_DESCRIPTION
    "Products, workloads, examples and measurements that gpufeed comes with.")
set(CPACK_DEBIAN_DATA_PACKAGE_NAME gpufeed-data)
set(CPACK_DEBIAN_DATA_PACKAGE_SECTION science)
set(CPACK_DEBIAN_DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DATA_PACKAGE_SHLIBDEPS OFF)  # it looks into every file, for minutes
add_package_notes(data gpufeed-data)
if(TARGET gpufeed-ui)
  list(APPEND CPACK_COMPONENTS_ALL window)
  set(CPACK_COMPONENT_WINDOW_DESCRIPTION
      "The window of gpufeed: a machine of drives, processors, cards and stores of a
 catalog, with its answer at once.")
  set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME gpufeed-ui)
  set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS
      "gpufeed (= ${PROJECT_VERSION}), libegl1, fonts-dejavu-core")
  set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "libegl-mesa0, libgl1-mesa-dri")
  add_package_notes(window gpufeed-ui)
endif()
if(TARGET gpufeed_shared)
  list(APPEND CPACK_COMPONENTS_ALL development)
  set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
      "The library of gpufeed with its C++ header, for find_package(gpufeed).")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libgpufeed-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "gpufeed (= ${PROJECT_VERSION})")
  # the loader's cache learns of the library, as Debian wants it
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/notes/libgpufeed-dev/triggers CONTENT "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/notes/libgpufeed-dev/triggers)
  add_package_notes(development libgpufeed-dev)
endif()
if(TARGET gpufeed_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
      "gpufeed for Python 3: load, change and simulate scenarios, sweep, compare.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-gpufeed)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
      "gpufeed (= ${PROJECT_VERSION}), python3 (>= 3.${Python3_VERSION_MINOR}~), python3 (<< 3.${python_after}~)")
  # what Python compiled beside the module goes with it, as Debian wants it
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/notes/python3-gpufeed/prerm @ONLY CONTENT
"#!/bin/sh
set -e
if command -v py3clean >/dev/null 2>&1; then
  py3clean -p python3-gpufeed
else
  find /usr/lib/python3/dist-packages/gpufeed -name __pycache__ -exec rm -r {} +
fi
")
  file(CHMOD ${PROJECT_BINARY_DIR}/notes/python3-gpufeed/prerm PERMISSIONS
       OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/notes/python3-gpufeed/prerm)
  add_package_notes(python python3-gpufeed)
endif()
include(CPack)
