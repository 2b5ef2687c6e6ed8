# Public names, beside those of `taquin` itself; each is loaded on first use.

__all__: list[str]

from taquin.search.algorithms import CappedBeam as CappedBeam
from taquin.search.algorithms import RecursiveBestFirst as RecursiveBestFirst
from taquin.search.best_first import AnytimeRepairing as AnytimeRepairing
from taquin.search.best_first import DynamicPotential as DynamicPotential
from taquin.search.best_first import Focal as Focal
from taquin.search.best_first import PartialExpansion as PartialExpansion
from taquin.search.bidirectional import MeetInTheMiddle as MeetInTheMiddle
from taquin.search.bidirectional import NearOptimalBidirectional as NearOptimalBidirectional
from taquin.search.control import Progress as Progress
from taquin.search.depth_first import BudgetedTreeSearch as BudgetedTreeSearch
from taquin.search.depth_first import WeightedIDAStar as WeightedIDAStar
from taquin.search.grammar import SearchLike as SearchLike
from taquin.search.local_search import HillClimbing as HillClimbing
from taquin.search.local_search import LearningRealTime as LearningRealTime
from taquin.search.local_search import LocalSearchSpace as LocalSearchSpace
from taquin.search.local_search import SimulatedAnnealing as SimulatedAnnealing
from taquin.search.result import Count as Count
from taquin.search.run import Conventions as Conventions
from taquin.search.run import Duplicates as Duplicates
from taquin.search.run import GoalTest as GoalTest
from taquin.search.run import LimitTest as LimitTest
from taquin.search.run import RandomOrder as RandomOrder
from taquin.search.run import Ties as Ties
