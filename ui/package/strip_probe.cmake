# SPDX-License-Identifier: Apache-2.0
# The probes of GPUs are a program of nvcc, which CPack does not know to be one.
file(GLOB_RECURSE probes "${CPACK_TEMPORARY_DIRECTORY}/gpufeed-gpu-probe")
foreach(probe IN LISTS probes)
  execute_process(COMMAND strip ${probe})
endforeach()
