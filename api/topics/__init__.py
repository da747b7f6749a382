"""Topics and tracks: what there is to learn, as pages. Reading only; quizzes are answered in `api.quizzes`."""
