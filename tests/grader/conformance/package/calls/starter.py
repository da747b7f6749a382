# nothing to start with
