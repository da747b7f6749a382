#!/usr/bin/env bash
# Makes sure that a Docker engine answers. Usage: docker-engine.sh start|status|stop
# Uses an engine that already runs, otherwise the system's service, otherwise our own dockerd without networks (cells have
# none). Its log and process id are var/dockerd.log and var/dockerd.pid. `stop` stops only our own dockerd.
# DOCKERD_ARGS are further arguments for dockerd; DOCKER_HOST=unix://... moves its socket.
set -euo pipefail
# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

PID_FILE="$VAR/dockerd.pid"
LOG="$VAR/dockerd.log"
WAIT_SECONDS=90
PATH="$PATH:/usr/sbin:/sbin"

complaint() { version 2>&1 | tail -n 1; }

version() { docker version --format '{{.Server.Version}} (API {{.Server.APIVersion}})'; }

# The process id may have been reused, so check the command line too.
ours_runs() {
    local pid
    pid="$(cat "$PID_FILE" 2>/dev/null)" && tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF -- "--pidfile $PID_FILE"
}

socket() {
    local host="${DOCKER_HOST:-unix:///var/run/docker.sock}"
    [ "${host#unix://}" != "$host" ] || die "the engine at DOCKER_HOST=$host does not answer, and only a local one can be started"
    printf '%s\n' "${host#unix://}"
}

# If the engine runs but this account has no access, give it access until the engine restarts.
open_socket() {
    local path
    path="$(socket)"
    [ "$(id -u)" != 0 ] && [ -S "$path" ] && [ ! -w "$path" ] || return 0
    say "docker: giving $(id -un) access to $path until the engine restarts"
    bash "$ROOT/deploy/packages.sh" setfacl=acl && as_root setfacl -m "u:$(id -u):rw" "$path"
}

mount_cgroups() {
    grep -q ' /sys/fs/cgroup' /proc/mounts && return
    say "docker: mounting the cgroup tree, which this system has not mounted"
    as_root mount -t cgroup2 none /sys/fs/cgroup
}

start_service() {
    [ -d /run/systemd/system ] && [ -z "${DOCKER_HOST:-}" ] && systemctl cat docker.service >/dev/null 2>&1 || return 1
    say "docker: starting the system's service"
    as_root systemctl start docker
}

start_ours() {
    command -v dockerd >/dev/null || die "dockerd is not installed; run: make setup"
    ours_runs && die "our dockerd ($(cat "$PID_FILE")) runs but does not answer; see var/dockerd.log, then: $0 stop"
    mount_cgroups
    say "docker: starting dockerd, log in var/dockerd.log"
    # If the last dockerd was killed, its containerd may still be shutting down. A new dockerd then waits for it, gives up and
    # exits, so try again.
    launch || launch || launch || give_up "dockerd ended at once, three times"
}

# Starts dockerd. Returns 1 if dockerd exits; ends this script if dockerd runs but does not answer in time.
launch() {
    local extra=()
    read -ra extra <<<"${DOCKERD_ARGS:-}"
    rm -f "$PID_FILE"
    # 9>&- keeps dockerd from inheriting our lock; setsid keeps it running after make has ended.
    # shellcheck disable=SC2024
    as_root setsid dockerd --bridge=none --iptables=false --pidfile "$PID_FILE" -H "unix://$(socket)" \
        "${extra[@]}" >"$LOG" 2>&1 </dev/null 9>&- &
    wait_for_answer
}

wait_for_answer() {
    local launcher=$! end=$((SECONDS + WAIT_SECONDS))
    until open_socket && engine_answers; do
        [ $SECONDS -lt $end ] || give_up "dockerd does not answer after $WAIT_SECONDS s"
        kill -0 "$launcher" 2>/dev/null || ours_runs || return 1
        sleep 0.5
    done
}

give_up() {
    tail -n 15 "$LOG" >&2
    ours_runs && stop
    die "$1; the last lines of its log are above, the whole log is var/dockerd.log"
}

start() {
    open_socket
    if engine_answers; then
        say "docker: using the running engine, $(version)"
    else
        alone docker-engine
        engine_answers || start_service || start_ours
        open_socket
        engine_answers || die "the Docker engine was started but does not answer: $(complaint)"
        say "docker: engine $(version) answers"
    fi
    bash "$ROOT/deploy/apparmor.sh" || true
}

stop() {
    local pid _
    if ! ours_runs; then
        say "docker: no engine of ours runs; nothing to stop"
        return
    fi
    pid="$(cat "$PID_FILE")"
    # Use the shell's builtin kill, because not every system has the program.
    as_root bash -c "kill $pid"
    for _ in $(seq 60); do
        [ -d "/proc/$pid" ] || { say "docker: stopped our engine"; return; }
        sleep 0.5
    done
    die "dockerd ($pid) does not stop; a container may be hanging, see var/dockerd.log"
}

status() {
    engine_answers || die "no Docker engine answers: $(complaint)"
    say "docker: engine $(version) answers$(ours_runs && printf ', started by us (process %s)' "$(cat "$PID_FILE")")"
}

command -v docker >/dev/null || [ "${1:-}" = stop ] || die "the docker command is not installed; run: make setup"
case "${1:-}" in
    start | stop | status) "$1" ;;
    *) die "usage: docker-engine.sh start|status|stop" ;;
esac
