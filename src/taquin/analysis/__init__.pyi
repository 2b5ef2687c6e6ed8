# Public names, beside those of `taquin` itself; each is loaded on first use.

__all__: list[str]

from taquin.analysis.audit import Audit as Audit
from taquin.analysis.audit import Comparison as Comparison
from taquin.analysis.audit import audit_all as audit_all
from taquin.analysis.depths import BoardSample as BoardSample
from taquin.analysis.explore import Survey as Survey
from taquin.analysis.grading import Grade as Grade
from taquin.analysis.solutions import AllSolutions as AllSolutions
