# Flags that every target of the project shares. No -ffast-math; -ffp-contract=off because g++
# emits fused multiply-add on ARM even with -std=c++20.
add_library(lacuna_flags INTERFACE)
target_compile_options(lacuna_flags INTERFACE
  -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wzero-as-null-pointer-constant -ffp-contract=off)
if(LACUNA_WERROR)
  target_compile_options(lacuna_flags INTERFACE -Werror)
endif()
if(LACUNA_SANITIZE)
  target_compile_options(lacuna_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(lacuna_flags INTERFACE -fsanitize=address,undefined)
endif()
