"""Put npm's GIF encoder into the page: `python -m tools.gifenc [--check]`.

The package has a minified module already, so nothing is bundled: with the licence before it, it
becomes `gif/gifenc.js`. npm's digest pins it. `--check` compares it with the committed file.
"""

from __future__ import annotations

import base64
import hashlib
import io
import sys
import tarfile
from urllib.request import urlopen

from tools.running import ROOT

VERSION = "1.0.3"
SHA512 = "xdr6AdrfGBcfzncONUOlXMBuc5wJDtOueE3c5rdG0oNgtINLD+f2iFZltrBRZYzACRbKr+mSVU/x98zv2u3jmw=="
MODULE = ROOT / "src" / "taquin" / "web" / "static" / "gif" / "gifenc.js"


def build() -> str:
    """Return the module; raise ValueError for a package with another digest."""
    with urlopen(f"https://registry.npmjs.org/gifenc/-/gifenc-{VERSION}.tgz", timeout=60) as reply:
        packed = reply.read()
    if base64.b64encode(hashlib.sha512(packed).digest()).decode() != SHA512:
        raise ValueError(f"the package is not npm's gifenc@{VERSION}")
    with tarfile.open(fileobj=io.BytesIO(packed)) as package:
        licence, module = (
            _text(package, f"package/{name}") for name in ("LICENSE.md", "dist/gifenc.esm.js")
        )
    code = module.partition("//# sourceMappingURL")[0].strip()
    header = f"gifenc {VERSION} from npm, by `python -m tools.gifenc`.\n\n{licence.strip()}"
    return f"// @ts-nocheck\n/*! {header}\n*/\n{code}\n"


def _text(package: tarfile.TarFile, name: str) -> str:
    file = package.extractfile(name)
    assert file is not None, name
    return file.read().decode()


def main() -> None:
    """Write the module, or check it."""
    if "--check" not in sys.argv[1:]:
        MODULE.write_text(build(), "utf-8")
    elif build() != MODULE.read_text("utf-8"):
        raise SystemExit(f"{MODULE.relative_to(ROOT)} differs: python -m tools.gifenc")


if __name__ == "__main__":
    main()
