# SPDX-License-Identifier: Apache-2.0
# Packages by cpack (make deb): lacuna (the program), liblacuna<abi> (the shared library), liblacuna-c1
# (the C library, whose number is that of its own interface) and liblacuna-dev (headers, static library, CMake and pkg-config files).
if(HIGHS_TO_BUNDLE)
  return()  # packages have HiGHS inside: scripts/setup --with-static-highs
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lacuna)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
# Whoever passes packages on says who answers for them.
file(STRINGS ${CMAKE_SOURCE_DIR}/packaging/maintainer maintainer REGEX "^[^#]" LIMIT_COUNT 1)
set(LACUNA_MAINTAINER "${maintainer}" CACHE STRING "Name <address> of whoever maintains the packages")
set(CPACK_PACKAGE_CONTACT "${LACUNA_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Statistical disclosure control of tables")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_OUTPUT_FILE_PREFIX ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program library clibrary dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME lacuna)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
  "Protects tables of numbers before publication: chooses what to withhold, to round or to blur,
 and audits every release in exact arithmetic. This package has the command lacuna.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME liblacuna${lacuna_abi})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/triggers)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "Protects tables of numbers before publication. This package has the shared library.")
set(CPACK_DEBIAN_CLIBRARY_PACKAGE_NAME liblacuna-c1)
set(CPACK_DEBIAN_CLIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_CLIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/triggers)
set(CPACK_COMPONENT_CLIBRARY_DESCRIPTION
  "Protects tables of numbers before publication. This package has the shared library for C.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME liblacuna-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
  "liblacuna${lacuna_abi} (= ${PROJECT_VERSION}), liblacuna-c1 (= ${PROJECT_VERSION})")
# What a program needs that links with the static library.
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS
  "libgmp-dev, libfmt-dev, libtomlplusplus-dev, zlib1g-dev, liblzma-dev, coinor-libclp-dev, libpugixml-dev, libreadstat-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION
  "Protects tables of numbers before publication. This package has the headers, the static library,
 the CMake package and the pkg-config file.")

# Debian's place of the licence, in each package.
foreach(component program library clibrary dev)
  string(TOUPPER ${component} upper)
  install(FILES ${CMAKE_SOURCE_DIR}/packaging/copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
    COMPONENT ${component})
endforeach()
include(CPack)
