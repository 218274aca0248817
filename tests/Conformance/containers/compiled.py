"""Fails when assemblies of a folder are not compiled ahead of time for a processor. compiled.py FOLDER PROCESSOR, as uname -m names it.

The machine of the PE header tells it (ECMA-335 II.25.2.2); for Linux it is combined by XOR with 0x7B79 (runtime: docs/design/coreclr/botr/readytorun-format.md).
"""
import pathlib
import struct
import sys

FOR_LINUX = 0x7B79
MACHINES = {"x86_64": 0x8664, "aarch64": 0xAA64}
wanted = MACHINES[sys.argv[2]] ^ FOR_LINUX
assemblies = sorted(pathlib.Path(sys.argv[1]).glob("*.dll"))
wrong = []
for path in assemblies:
    data = path.read_bytes()
    pe = struct.unpack_from("<I", data, 0x3C)[0]
    machine = struct.unpack_from("<H", data, pe + 4)[0]
    if machine != wanted:
        wrong.append(f"{path.name}: machine {machine:#x}, not {wanted:#x}")
if len(assemblies) < 20:
    wrong.append(f"only {len(assemblies)} assemblies")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
