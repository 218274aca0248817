"""Fails when an assembly of a folder was compiled for one processor. ECMA-335 II.25.2-3: the machine of the PE header, the flags of the CLI header."""
import pathlib
import struct
import sys

I386, IL_ONLY, REQUIRES_32_BIT = 0x14C, 1, 2
assemblies = sorted(pathlib.Path(sys.argv[1]).glob("*.dll"))
wrong = []
for path in assemblies:
    data = path.read_bytes()
    pe = struct.unpack_from("<I", data, 0x3C)[0]
    machine, sections, optional = struct.unpack_from("<H", data, pe + 4)[0], struct.unpack_from("<H", data, pe + 6)[0], struct.unpack_from("<H", data, pe + 20)[0]
    if machine != I386:
        wrong.append(f"{path.name}: machine {machine:#x}")
        continue
    # PE32: the 15th directory is the CLI header.
    address = struct.unpack_from("<I", data, pe + 24 + 96 + 14 * 8)[0]
    for number in range(sections):
        size, start, _, offset = struct.unpack_from("<IIII", data, pe + 24 + optional + number * 40 + 8)
        if start <= address < start + size:
            flags = struct.unpack_from("<I", data, offset + address - start + 16)[0]
            if not flags & IL_ONLY or flags & REQUIRES_32_BIT:
                wrong.append(f"{path.name}: flags {flags:#x}")
if len(assemblies) < 20:
    wrong.append(f"only {len(assemblies)} assemblies")
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
