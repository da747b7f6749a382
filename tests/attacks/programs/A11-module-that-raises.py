# id: A11
# tries: does not define its entry point, and raises SystemExit(0) when the grader looks it up
# expect: RE
# message: SystemExit
def __getattr__(name):
    raise SystemExit(0)
