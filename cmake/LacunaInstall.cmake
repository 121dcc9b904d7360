# SPDX-License-Identifier: Apache-2.0
# What is installed: the program, the library (static and shared, made of the objects of all folders
# of src/), the public headers, a CMake package and a pkg-config file; and packages by cpack.
# docs/install.md is the page for users.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(CMAKE_INSTALL_MESSAGE LAZY)
set(lacuna_abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})  # until 1.0 every minor version breaks
set(lacuna_private_dir ${CMAKE_INSTALL_LIBDIR}/lacuna)

# ---- the library, twice

get_property(folders GLOBAL PROPERTY LACUNA_FOLDERS)
set(objects "")
foreach(folder IN LISTS folders)
  list(APPEND objects $<TARGET_OBJECTS:${folder}>)
endforeach()

# What the library needs and its users do not see. By file name in the package: what a static
# library needs is then found without the CMake packages that this build has used.
set(private_targets ${LACUNA_FMT} ${LACUNA_TOML} PkgConfig::GMPXX PkgConfig::GMP ZLIB::ZLIB
  LibLZMA::LibLZMA Threads::Threads)
set(private_names gmpxx gmp z lzma)
if(NOT LACUNA_PORTABLE)
  list(APPEND private_names fmt tomlplusplus)
endif()
if(NOT LACUNA_WITHOUT_CLP)
  list(APPEND private_targets PkgConfig::CLP)
  list(APPEND private_names ${CLP_LIBRARIES})
endif()
foreach(library pugixml readstat)
  string(TOUPPER ${library} word)
  if(LACUNA_HAVE_${word})
    list(APPEND private_targets ${LACUNA_${word}_LIBRARY})
    list(APPEND private_names ${library})
  endif()
endforeach()
if(HIGHS_FOUND)
  list(APPEND private_targets highs::highs)
  list(APPEND private_names dl)
endif()

# lacuna_finds_highs(target folder): what is installed into the folder finds a bundled HiGHS from there.
function(lacuna_finds_highs target folder)
  if(HIGHS_TO_BUNDLE)
    cmake_path(RELATIVE_PATH lacuna_private_dir BASE_DIRECTORY ${folder} OUTPUT_VARIABLE way)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${way}")
  endif()
endfunction()

function(lacuna_library name kind)
  add_library(${name} ${kind} ${objects})
  set_target_properties(${name} PROPERTIES
    OUTPUT_NAME lacuna VERSION ${PROJECT_VERSION} SOVERSION ${lacuna_abi} LINKER_LANGUAGE CXX
    ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  target_compile_features(${name} INTERFACE cxx_std_20)
  target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

lacuna_library(lacuna_shared SHARED)
set_target_properties(lacuna_shared PROPERTIES EXPORT_NAME shared)
# The solver inside stays inside: a process may hold another HiGHS.
lacuna_link_options(lacuna_shared -Wl,--exclude-libs,ALL -Wl,-z,defs -Wl,--as-needed)
target_link_libraries(lacuna_shared PRIVATE ${private_targets} lacuna_flags)

lacuna_library(lacuna_static STATIC)
set_target_properties(lacuna_static PROPERTIES EXPORT_NAME static)
if(HIGHS_FOUND)
  if(highs_kind STREQUAL "STATIC_LIBRARY")
    set(highs_archive liblacuna_highs.a)
    install(FILES $<TARGET_FILE:highs::highs> RENAME ${highs_archive}
      DESTINATION ${lacuna_private_dir} COMPONENT dev)
    target_link_libraries(lacuna_static
      INTERFACE $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${lacuna_private_dir}/${highs_archive}>)
    set(highs_flags "-L\${libdir}/lacuna -llacuna_highs")
  elseif(HIGHS_TO_BUNDLE)  # a shared one that no system has: in a folder of our own
    install(FILES ${HIGHS_TO_BUNDLE} ${HIGHS_PREFIX}/share/doc/HIGHS/LICENSE.txt
      DESTINATION ${lacuna_private_dir} COMPONENT library)
    target_link_libraries(lacuna_static
      INTERFACE $<INSTALL_INTERFACE:$<INSTALL_PREFIX>/${lacuna_private_dir}/libhighs.so>)
    set(highs_flags "-L\${libdir}/lacuna -lhighs -Wl,-rpath,\${libdir}/lacuna")
    lacuna_finds_highs(lacuna ${CMAKE_INSTALL_BINDIR})
    lacuna_finds_highs(lacuna_shared ${CMAKE_INSTALL_LIBDIR})
  else()
    target_link_libraries(lacuna_static INTERFACE highs)
    set(highs_flags -lhighs)
  endif()
endif()
target_link_libraries(lacuna_static INTERFACE ${private_names} Threads::Threads)

# ---- files

install(TARGETS lacuna RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(TARGETS lacuna_shared EXPORT lacuna_shared
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT dev)
install(TARGETS lacuna_static EXPORT lacuna_static
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/lacuna DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT dev FILES_MATCHING PATTERN *.h)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/lacuna)
foreach(kind shared static)
  install(EXPORT lacuna_${kind} FILE lacuna-${kind}.cmake NAMESPACE lacuna::
    DESTINATION ${package_dir} COMPONENT dev)
endforeach()
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/lacunaConfig.cmake.in
  ${CMAKE_BINARY_DIR}/lacunaConfig.cmake INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 another minor version is another interface.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lacunaConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/lacunaConfig.cmake ${CMAKE_BINARY_DIR}/lacunaConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)

# The prefix is found from the place of the file, so that the installed tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE pc_include)
list(TRANSFORM private_names PREPEND -l OUTPUT_VARIABLE private_flags)
list(JOIN private_flags " " private_flags)
configure_file(${CMAKE_SOURCE_DIR}/cmake/lacuna.pc.in ${CMAKE_BINARY_DIR}/lacuna.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/lacuna.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT dev)

include(LacunaPackages)
