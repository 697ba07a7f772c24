"""Run a command and tell on standard output, as JSON, what it used. It stands between a benchmark
and what is measured: a process begins with the largest resident set of the one that started it
(Linux carries `ru_maxrss` over `exec`), so only a small one may start it."""

import json
import resource
import subprocess
import sys
import time

if __name__ == "__main__":
    began = time.perf_counter()
    code = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = {
        "code": code,
        "cpu": used.ru_utime + used.ru_stime,
        "wall": time.perf_counter() - began,
        "maxrss": used.ru_maxrss,
    }
    json.dump(told, sys.stdout)
