"""The public names of the lab; `taquin.system.lazy` loads each when it is first used."""

__all__: list[str]

from taquin.lab.plots import draw as draw
from taquin.lab.plots import to_png as to_png
from taquin.lab.plots import to_svg as to_svg
from taquin.lab.reading import read_study as read_study
from taquin.lab.reading import shipped_studies as shipped_studies
from taquin.lab.record import Ending as Ending
from taquin.lab.record import Record as Record
from taquin.lab.record import Records as Records
from taquin.lab.report import Figure as Figure
from taquin.lab.report import Report as Report
from taquin.lab.report import Table as Table
from taquin.lab.report_html import to_html as to_html
from taquin.lab.report_text import table_text as table_text
from taquin.lab.report_text import to_text as to_text
from taquin.lab.reporting import report_of as report_of
from taquin.lab.runner import Progress as Progress
from taquin.lab.store import Store as Store
from taquin.lab.study import Case as Case
from taquin.lab.study import Search as Search
from taquin.lab.study import Study as Study
