# SPDX-License-Identifier: Apache-2.0
"""points_by_dask.py [SCHEDULER]: what more loader workers give, each point on whichever worker is free.

SCHEDULER is the address of one whose workers have gpufeed, such as tcp://login:8786; without it, two processes
here. Each point goes out as text, so that workers need neither the scenario's file nor a shared folder.
"""

import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

from distributed import Client

import gpufeed

WORKERS = (2, 4, 8, 12, 16, 24)


def point(scenario: str, workers: int) -> Dict[str, Any]:
    """Runs on a worker."""
    return gpufeed.parse(scenario, "scenario.toml").set("loader.workers_per_gpu", workers).point()


def points(client: Client, scenario: Path) -> List[Dict[str, Any]]:
    text = gpufeed.load(scenario).to_toml()
    rows = client.gather([client.submit(point, text, workers) for workers in WORKERS])
    return list(rows)


def main(scheduler: Optional[str] = None) -> None:
    scenario = gpufeed.examples() / "06_how_many_cores" / "scenario.toml"
    here = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with Client(scheduler, **({} if scheduler else here)) as client:
        for workers, row in zip(WORKERS, points(client, scenario)):
            print(f"{workers:3} workers: {row['job_samples_per_s']:8.0f} samples/s, {row['bottleneck']}")


if __name__ == "__main__":
    main(*sys.argv[1:])
