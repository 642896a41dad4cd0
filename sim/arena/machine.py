"""What the machine has for a process, as the system tells it."""

import os
from pathlib import Path

_CGROUP_MEMORY = Path("/sys/fs/cgroup/memory.max")


def memory_bytes() -> int:
    """Return the machine's memory, or what a container leaves of it, in bytes."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if _CGROUP_MEMORY.exists() and (limit := _CGROUP_MEMORY.read_text().strip()).isdigit():
        memory = min(memory, int(limit))
    return memory
