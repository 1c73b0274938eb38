# SPDX-License-Identifier: Apache-2.0
"""pip install --no-build-isolation . builds the module by CMake, in GPUFEED_BUILD where that is set (a
build folder that may exist: then only what is missing is built), else in build/python of the tree."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DATA = ["hw_catalog", "workloads", "examples", "calib/params", "tests/validation", "GLOSSARY.md"]


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        folder = Path(os.environ.get("GPUFEED_BUILD", ROOT / "build" / "python"))
        configure = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DGPUFEED_PYTHON=ON",
                     f"-DPython3_EXECUTABLE={sys.executable}"]
        if not (folder / "CMakeCache.txt").exists():
            configure += ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF", "-DGPUFEED_WINDOW=OFF"]
        subprocess.run(configure, check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "gpufeed_python"], check=True)
        built = next((folder / "python" / "gpufeed").glob("_core*.so"))
        target = Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, target)
        for name in DATA:  # where the module looks for it
            data = target.parent / "share" / "gpufeed" / name
            data.parent.mkdir(parents=True, exist_ok=True)
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, data, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / name, data)


version = re.search(r"project\(gpufeed VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
setup(version=version, ext_modules=[Extension("gpufeed._core", [])],
      cmdclass={"build_ext": BuildByCMake})
