"""Metrics for Prometheus: counters of this process, gauges that are computed at each scrape, and the server that returns
both.
"""
