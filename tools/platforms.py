"""The platforms with a library of kernels."""

from __future__ import annotations

from typing import NamedTuple


class Platform(NamedTuple):
    """A platform with a library of kernels."""

    target: str
    """Its name for Zig."""
    processor: str = ""
    """The target processor: the oldest supported one, without some features."""
    wheel: str = ""
    """The tag of its wheel."""


_AARCH64 = "cortex_a72-crc-aes-sha2"
"""A Cortex-A72, without what not every processor of its architecture has.

Its order of instructions suits others too: on a Neoverse-N1 a 24-puzzle takes 1.05 times as long as
code for that processor, and 1.08 times in LLVM's generic order.
"""
_X86_64 = "x86_64_v2"
PLATFORMS = {
    "linux-x86_64.so": Platform(
        "x86_64-linux-musl",
        _X86_64,
        "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ),
    "linux-aarch64.so": Platform(
        "aarch64-linux-musl",
        _AARCH64,
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ),
    "macos-aarch64.dylib": Platform("aarch64-macos.11.0", "apple_m1", "macosx_11_0_arm64"),
    "macos-x86_64.dylib": Platform("x86_64-macos.10.13", _X86_64, "macosx_10_13_x86_64"),
    "windows-x86_64.dll": Platform("x86_64-windows-gnu", _X86_64, "win_amd64"),
    "windows-aarch64.dll": Platform("aarch64-windows-gnu", _AARCH64, "win_arm64"),
    "emscripten-wasm32.so": Platform("wasm32-emscripten"),
}
"""The platforms by the file names of their libraries."""
