"""Pictures of boards, solutions, searches and handouts: scenes, and their painters."""
