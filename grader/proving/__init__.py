"""The authoring gate for teams' own challenges: run by the node, in a process and in containers of its own."""
