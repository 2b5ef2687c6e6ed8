# The public names of the lab; `taquin.system.lazy` loads each when it is first used.

__all__: list[str]

from taquin.lab.report.document import Figure as Figure
from taquin.lab.report.document import Report as Report
from taquin.lab.report.document import Table as Table
from taquin.lab.report.document import table_text as table_text
from taquin.lab.report.document import to_text as to_text
from taquin.lab.report.figures import draw as draw
from taquin.lab.report.figures import to_png as to_png
from taquin.lab.report.figures import to_svg as to_svg
from taquin.lab.report.reporting import flat_rows as flat_rows
from taquin.lab.report.reporting import report_of as report_of
from taquin.lab.report.reporting import report_of_versions as report_of_versions
from taquin.lab.report.reporting import to_html as to_html
from taquin.lab.report.reporting import to_latex as to_latex
from taquin.lab.run.database import Ending as Ending
from taquin.lab.run.database import Record as Record
from taquin.lab.run.database import Records as Records
from taquin.lab.run.database import Store as Store
from taquin.lab.run.runner import StudyProgress as StudyProgress
from taquin.lab.run.runner import run_study as run_study
from taquin.lab.study.definition import Case as Case
from taquin.lab.study.definition import Run as Run
from taquin.lab.study.definition import Search as Search
from taquin.lab.study.definition import Study as Study
from taquin.lab.study.reading import read_study as read_study
from taquin.lab.study.reading import shipped_studies as shipped_studies
