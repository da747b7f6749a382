"""Lists every system call that is allowed inside a container, as name:x86_64:aarch64. The two numbers are those of the call on
each machine; a number is left out if the machine does not have the call.

Calls that are not listed here are forbidden. Both filters are made from these tables: the container's profile
(grader/hosts/seccomp_profile.py, by name) and the stricter filter of the children (seccomp.py, by number).
Numbers are those of Linux' asm/unistd_64.h and asm-generic/unistd.h.
"""

from typing import NamedTuple


class Numbers(NamedTuple):
    """The number of one system call on each machine; None if the machine does not have the call."""

    x86_64: int | None
    aarch64: int | None


def _table(text: str) -> dict[str, Numbers]:
    rows = (entry.split(":") for entry in text.split())
    return {name: Numbers(*(int(number) if number else None for number in numbers)) for name, *numbers in rows}


_FILES = _table("""
read:0:63 write:1:64 open:2: close:3:57 stat:4: fstat:5:80 lstat:6: newfstatat:262:79 statx:332:291
statfs:137:43 fstatfs:138:44 lseek:8:62 pread64:17:67 pwrite64:18:68 readv:19:65 writev:20:66
preadv:295:69 pwritev:296:70 preadv2:327:286 pwritev2:328:287 access:21: faccessat:269:48
faccessat2:439:439 openat:257:56 openat2:437:437 creat:85: dup:32:23 dup2:33: dup3:292:24 flock:73:32
fsync:74:82 fdatasync:75:83 truncate:76:45 ftruncate:77:46 fallocate:285:47 fadvise64:221:223
readahead:187:213 sync_file_range:277:84 copy_file_range:326:285 sendfile:40:71 getdents:78:
getdents64:217:61 getcwd:79:17 chdir:80:49 fchdir:81:50 rename:82: renameat:264:38 renameat2:316:276
mkdir:83: mkdirat:258:34 rmdir:84: link:86: linkat:265:37 unlink:87: unlinkat:263:35 symlink:88:
symlinkat:266:36 readlink:89: readlinkat:267:78 chmod:90: fchmod:91:52 fchmodat:268:53 fchmodat2:452:452
chown:92: fchown:93:55 lchown:94: fchownat:260:54 umask:95:166 utime:132: utimes:235: futimesat:261:
utimensat:280:88 mknod:133: mknodat:259:33 getxattr:191:8 lgetxattr:192:9 fgetxattr:193:10
listxattr:194:11 llistxattr:195:12 flistxattr:196:13 close_range:436:436 pipe:22: pipe2:293:59
inotify_init:253: inotify_init1:294:26 inotify_add_watch:254:27 inotify_rm_watch:255:28
""")

_MEMORY = _table("""
mmap:9:222 mprotect:10:226 munmap:11:215 mremap:25:216 brk:12:214 madvise:28:233 msync:26:227
mincore:27:232 mlock:149:228 mlock2:325:284 munlock:150:229 mlockall:151:230 munlockall:152:231
memfd_create:319:279 pkey_mprotect:329:288 pkey_alloc:330:289 pkey_free:331:290 membarrier:324:283
mseal:462:462
""")

_PROCESSES = _table("""
fork:57: vfork:58: exit:60:93 exit_group:231:94 wait4:61:260 waitid:247:95 getpid:39:172 getppid:110:173
gettid:186:178 getpgid:121:155 getpgrp:111: setpgid:109:154 getsid:124:156 setsid:112:157
set_tid_address:218:96 set_robust_list:273:99 get_robust_list:274:100 rseq:334:293 futex:202:98
futex_waitv:449:449 futex_wake:454:454 futex_wait:455:455 futex_requeue:456:456 sched_yield:24:124
sched_getaffinity:204:123 sched_setaffinity:203:122 sched_getparam:143:121 sched_getscheduler:145:120
sched_getattr:315:275 sched_get_priority_max:146:125 sched_get_priority_min:147:126
sched_rr_get_interval:148:127 getpriority:140:141 getcpu:309:168 arch_prctl:158: pidfd_open:434:434
restart_syscall:219:128 getuid:102:174 geteuid:107:175 getgid:104:176 getegid:108:177 getgroups:115:158
getresuid:118:148 getresgid:120:150 capget:125:90 getrlimit:97:163 setrlimit:160:164 getrusage:98:165
sysinfo:99:179 uname:63:160 getrandom:318:278
""")

_SIGNALS_AND_TIME = _table("""
kill:62:129 tkill:200:130 tgkill:234:131 rt_sigaction:13:134 rt_sigprocmask:14:135 rt_sigreturn:15:139
rt_sigpending:127:136 rt_sigtimedwait:128:137 rt_sigqueueinfo:129:138 rt_tgsigqueueinfo:297:240
rt_sigsuspend:130:133 sigaltstack:131:132 signalfd:282: signalfd4:289:74 pidfd_send_signal:424:424
pause:34: alarm:37: getitimer:36:102 setitimer:38:103 nanosleep:35:101 gettimeofday:96:169 time:201:
times:100:153 clock_gettime:228:113 clock_getres:229:114 clock_nanosleep:230:115 timer_create:222:107
timer_settime:223:110 timer_gettime:224:108 timer_getoverrun:225:109 timer_delete:226:111
timerfd_create:283:85 timerfd_settime:286:86 timerfd_gettime:287:87
""")

_POLLING_AND_SOCKETS = _table("""
poll:7: ppoll:271:73 select:23: pselect6:270:72 epoll_create:213: epoll_create1:291:20 epoll_ctl:233:21
epoll_wait:232: epoll_pwait:281:22 epoll_pwait2:441:441 eventfd:284: eventfd2:290:19 connect:42:203
accept:43:202 accept4:288:242 sendto:44:206 recvfrom:45:207 sendmsg:46:211 recvmsg:47:212 sendmmsg:307:269
recvmmsg:299:243 shutdown:48:210 bind:49:200 listen:50:201 getsockname:51:204 getpeername:52:205
setsockopt:54:208 getsockopt:55:209
""")

# Only the zygote may use these calls; the filter of its children forbids them. With `execute`, that filter permits execve and
# execveat.
ZYGOTE = _table("""
execve:59:221 execveat:322:281 setuid:105:146 setgid:106:144 setreuid:113:145 setregid:114:143
setresuid:117:147 setresgid:119:149 setgroups:116:159 setfsuid:122:151 setfsgid:123:152 capset:126:91
seccomp:317:277 setpriority:141:140 landlock_create_ruleset:444:444 landlock_add_rule:445:445
landlock_restrict_self:446:446 mount:165:40 mount_setattr:442:442
""")

# These calls are allowed with certain arguments only, which seccomp.py and seccomp_profile.py define.
CONDITIONAL = _table("""
clone:56:220 clone3:435:435 fcntl:72:25 ioctl:16:29 prctl:157:167 prlimit64:302:261 socket:41:198
socketpair:53:199
""")

EVERYONE = _FILES | _MEMORY | _PROCESSES | _SIGNALS_AND_TIME | _POLLING_AND_SOCKETS

# The highest number of a system call that we have reviewed. Calls with higher numbers fail with ENOSYS, so that the C library
# uses an older call instead.
NEWEST = 467
