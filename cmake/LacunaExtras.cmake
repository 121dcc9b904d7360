# SPDX-License-Identifier: Apache-2.0
# What is installed beside program and library: pages of the manual and completions for shells, which
# the program itself prints; documentation and examples; the list of what is linked in (SBOM).
lacuna_feature(LACUNA_MANUAL "Manual pages and completions for shells, printed by the program itself")
lacuna_feature(LACUNA_SBOM "The list of what is linked in, lacuna.spdx.json, by Python")
option(LACUNA_DOCS "Install documentation and examples" ON)
set(LACUNA_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING
  "Where completion for zsh is installed (Debian's packages: share/zsh/vendor-completions)")

# All that `cmake --install` needs.
add_custom_target(lacuna_install DEPENDS lacuna lacuna_shared lacuna_static lacuna_c_shared)

# ---- manual pages and completions

set(runs TRUE)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  set(runs FALSE)
endif()
lacuna_found(LACUNA_MANUAL ${runs} "printed by the program"
  "no way to run a program for ${CMAKE_SYSTEM_NAME} here: set CMAKE_CROSSCOMPILING_EMULATOR, or -DLACUNA_MANUAL=OFF")
if(LACUNA_MANUAL)
  set(manual ${CMAKE_BINARY_DIR}/manual)
  add_custom_command(OUTPUT ${manual}/finished
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${manual} -P ${CMAKE_SOURCE_DIR}/cmake/LacunaManual.cmake
            -- $<TARGET_PROPERTY:lacuna,CROSSCOMPILING_EMULATOR> $<TARGET_FILE:lacuna>
    DEPENDS lacuna ${CMAKE_SOURCE_DIR}/cmake/LacunaManual.cmake VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(lacuna_manual ALL DEPENDS ${manual}/finished)
  add_dependencies(lacuna_install lacuna_manual)
  install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT program)
  install(FILES ${manual}/lacuna.bash RENAME lacuna
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
  install(FILES ${manual}/_lacuna DESTINATION ${LACUNA_ZSH_DIR} COMPONENT program)
  install(FILES ${manual}/lacuna.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
endif()

# ---- what is linked in, with the versions that configure has found

function(lacuna_component name version how)
  set_property(GLOBAL APPEND_STRING PROPERTY LACUNA_COMPONENTS "${name}\t${version}\t${how}\n")
endfunction()
set(linked shared)
if(LACUNA_PORTABLE)
  set(linked static)
endif()
if(LACUNA_HIGHS)
  get_target_property(highs_kind highs::highs TYPE)
  set(highs_linked shared)
  if(highs_kind STREQUAL "STATIC_LIBRARY")
    set(highs_linked static)
  endif()
  lacuna_component(HiGHS "${HIGHS_VERSION}" ${highs_linked})
endif()
if(LACUNA_CLP)
  lacuna_component(Clp "${CLP_VERSION}" shared)
endif()
lacuna_component(GMP "${GMP_VERSION}" ${linked})
lacuna_component(zlib "${ZLIB_VERSION_STRING}" ${linked})
lacuna_component(xz "${LIBLZMA_VERSION_STRING}" ${linked})
if(LACUNA_PORTABLE)
  lacuna_component(fmt "${fmt_VERSION}" headers)
  lacuna_component(toml++ "" headers)
else()
  lacuna_component(fmt "${fmt_VERSION}" shared)
  lacuna_component(toml++ "${TOMLPP_VERSION}" shared)
endif()
lacuna_component("JSON for Modern C++" "${nlohmann_json_VERSION}" headers)
lacuna_component(CLI11 "${CLI11_VERSION}" headers)
lacuna_component(Eigen "${Eigen3_VERSION}" headers)
if(LACUNA_SERVE)
  lacuna_component(Boost "${Boost_VERSION}" headers)
  if(LACUNA_TLS)
    lacuna_component(OpenSSL "${OPENSSL_VERSION}" shared)
  endif()
endif()
if(LACUNA_WORKBOOKS)
  lacuna_component(pugixml "${pugixml_version}" ${linked})
endif()
if(LACUNA_READSTAT)
  lacuna_component(ReadStat "" ${linked})
endif()
if(LACUNA_PYTHON)
  get_property(nanobind_version GLOBAL PROPERTY LACUNA_NANOBIND_VERSION)
  lacuna_component(nanobind "${nanobind_version}" static)
endif()
get_property(components GLOBAL PROPERTY LACUNA_COMPONENTS)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/components.tsv CONTENT "${components}" @ONLY)

find_package(Python3 QUIET COMPONENTS Interpreter)
lacuna_found(LACUNA_SBOM "${Python3_Interpreter_FOUND}" "Python ${Python3_VERSION}"
  "no Python 3 to write the list of what is linked in: install it, or build with -DLACUNA_SBOM=OFF")
if(LACUNA_SBOM)
  set(sbom ${CMAKE_BINARY_DIR}/lacuna.spdx.json)
  add_custom_command(OUTPUT ${sbom}
    COMMAND Python3::Interpreter ${CMAKE_SOURCE_DIR}/scripts/sbom ${CMAKE_BINARY_DIR} ${sbom}
    DEPENDS lacuna lacuna_shared lacuna_c_shared ${CMAKE_SOURCE_DIR}/scripts/sbom
            ${CMAKE_BINARY_DIR}/components.tsv VERBATIM)
  add_custom_target(lacuna_sbom ALL DEPENDS ${sbom})
  add_dependencies(lacuna_install lacuna_sbom)
  install(FILES ${sbom} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endif()

# ---- documentation; links of README.md lead to the same places as in the tree

if(LACUNA_DOCS)
  install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md
    ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/docs ${CMAKE_SOURCE_DIR}/examples
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
else()
  install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
endif()
