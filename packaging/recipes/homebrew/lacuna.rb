# SPDX-License-Identifier: Apache-2.0
# scripts/dist fills in what stands between @ signs.
class Lacuna < Formula
  desc "Makes statistical tables safe to publish, and proves it"
  homepage "@URL@"
  url "@URL@/lacuna-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on :linux
  depends_on "boost"
  depends_on "fmt"
  depends_on "gmp"
  depends_on "highs"
  depends_on "openssl@3"
  depends_on "pugixml"
  depends_on "tomlplusplus"
  depends_on "xz"

  uses_from_macos "python" => :build
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DLACUNA_UNITY=ON",
           "-DLACUNA_TESTS=OFF", "-DLACUNA_BENCH=OFF", "-DLACUNA_BENCH_SETS=OFF",
           "-DLACUNA_HIGHS=ON", "-DLACUNA_DOCS=OFF", *std_cmake_args
    system "cmake", "--build", "build", "--target", "lacuna_install"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"table.csv").write <<~CSV
      region,value,status
      total,30,
      a,10,
      b,12,primary
      c,8,
    CSV
    system bin/"lacuna", "inspect", "table.csv"
  end
end
