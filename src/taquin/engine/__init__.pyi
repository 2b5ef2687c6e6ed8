# Public names, beside those of `taquin` itself; each is loaded on first use.

__all__: list[str]

from taquin.engine.anytime.engine import Anytime as Anytime
from taquin.engine.base import CompleteTable as CompleteTable
from taquin.engine.base import Engine as Engine
from taquin.engine.cluster import Cluster as Cluster
from taquin.engine.cpu.engine import Cpu as Cpu
from taquin.engine.general.engine import General as General
from taquin.engine.glass import GlassBox as GlassBox
from taquin.engine.gpu.engine import Gpu as Gpu
from taquin.engine.task import Auto as Auto
from taquin.engine.textbook.engine import Textbook as Textbook
