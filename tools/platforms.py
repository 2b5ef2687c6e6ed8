"""The platforms with a library of kernels."""

from __future__ import annotations

from typing import NamedTuple


class Platform(NamedTuple):
    """A platform with a library of kernels."""

    triple: str
    """Its name for LLVM."""
    target: str
    """Its name for Zig; empty for WebAssembly, which the linker alone supports."""
    processor: str
    """The target processor: the oldest supported one, without some features."""
    features: str = ""
    wheel: str = ""
    """The tag of its wheel."""


_ANY_AARCH64 = "-crc,-aes,-sha2"
"""What a Cortex-A72 has and not every processor of its architecture.

Its order of instructions suits others too: on a Neoverse-N1 a 24-puzzle takes 1.05 times as long as
code for that processor, and 1.08 times in LLVM's generic order.
"""
PLATFORMS = {
    "linux-x86_64.so": Platform(
        "x86_64-unknown-linux-gnu",
        "x86_64-linux-musl",
        "x86-64-v2",
        wheel="manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ),
    "linux-aarch64.so": Platform(
        "aarch64-unknown-linux-gnu",
        "aarch64-linux-musl",
        "cortex-a72",
        _ANY_AARCH64,
        wheel="manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ),
    "macos-aarch64.dylib": Platform(
        "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", "apple-m1", wheel="macosx_11_0_arm64"
    ),
    "macos-x86_64.dylib": Platform(
        "x86_64-apple-macosx10.13.0", "x86_64-macos.10.13", "x86-64-v2", wheel="macosx_10_13_x86_64"
    ),
    "windows-x86_64.dll": Platform(
        "x86_64-pc-windows-gnu", "x86_64-windows-gnu", "x86-64-v2", wheel="win_amd64"
    ),
    "windows-aarch64.dll": Platform(
        "aarch64-pc-windows-gnu",
        "aarch64-windows-gnu",
        "cortex-a72",
        _ANY_AARCH64,
        wheel="win_arm64",
    ),
    "emscripten-wasm32.so": Platform(
        "wasm32-unknown-emscripten", "", "", "+bulk-memory,+mutable-globals,+sign-ext"
    ),
}
"""The platforms by the file names of their libraries."""
