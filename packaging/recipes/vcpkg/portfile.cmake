# SPDX-License-Identifier: Apache-2.0
# A port of the library and the program for vcpkg; scripts/dist fills in what stands between @ signs.
vcpkg_download_distfile(archive
  URLS "@URL@/lacuna-@VERSION@.tar.gz"
  FILENAME "lacuna-@VERSION@.tar.gz"
  SHA512 @SHA512@)
vcpkg_extract_source_archive(SOURCE_PATH ARCHIVE "${archive}")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DLACUNA_UNITY=OFF -DLACUNA_TESTS=OFF -DLACUNA_BENCH=OFF -DLACUNA_BENCH_SETS=OFF
    -DLACUNA_CLP=OFF -DLACUNA_HIGHS=ON -DLACUNA_DOCS=OFF -DLACUNA_SBOM=OFF)
vcpkg_cmake_build(TARGET lacuna_install)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME lacuna CONFIG_PATH lib/cmake/lacuna)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES lacuna AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
