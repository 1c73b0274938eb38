# SPDX-License-Identifier: Apache-2.0
"""dask_test.py FOLDER: points that a cluster of Dask gives, by FOLDER/points_by_dask.py, are those of this process."""

import os
import sys

os.environ["PYTHONPATH"] = os.pathsep.join([sys.argv[1], os.environ.get("PYTHONPATH", "")])  # of the workers, too
sys.path.insert(0, sys.argv[1])

import gpufeed
import points_by_dask
from distributed import Client


def main():
    scenario = gpufeed.examples() / "06_how_many_cores" / "scenario.toml"
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        found = points_by_dask.points(client, scenario)
    base = gpufeed.load(scenario)
    expected = [base.set("loader.workers_per_gpu", one).point() for one in points_by_dask.WORKERS]
    assert found == expected, (found, expected)
    print(f"dask_test: {len(found)} points as here")


if __name__ == "__main__":
    main()
