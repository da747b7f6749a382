# id: A11
# tries: lacks its entry point and exits with status 0 when it is asked for it
# expect: RE
# message: SystemExit
def __getattr__(name):
    raise SystemExit(0)
