using System.Reflection;
using System.Runtime.InteropServices;

namespace NzbDav.Fuzz.Coverage;

/// <summary>
/// Records which branches a run took, and which of them are new: the map of American Fuzzy Lop, with a counter for each pair of branches,
/// whose counts are distinguished by magnitude. The instrumented code counts; one thread reads. Created once per process.
/// </summary>
internal sealed unsafe class CoverageMap
{
    /// <summary>Bytes of the map that the instrumentation expects.</summary>
    private const int Size = 64 << 10;

    /// <summary>
    /// Found by name: a library that refers to this type counts as already instrumented, and the planted faults are in this one.
    /// </summary>
    private static readonly Type Trace = Type.GetType("SharpFuzz.Common.Trace, SharpFuzz.Common", throwOnError: true)!;

    private readonly FieldInfo _previous = Trace.GetField("PrevLocation")!;
    private readonly byte* _counts;
    private readonly byte[] _seen = new byte[Size];

    /// <summary>Registers this map, into which instrumented code counts from now on.</summary>
    public CoverageMap()
    {
        _counts = (byte*)NativeMemory.AllocZeroed(Size);
        Trace.GetField("SharedMem")!.SetValue(null, Pointer.Box(_counts, typeof(byte*)));
    }

    /// <summary>Number of pairs of branches taken so far.</summary>
    public int Edges { get; private set; }

    /// <summary>Clears the record of the last run. Call it before each run.</summary>
    public void Clear()
    {
        new Span<byte>(_counts, Size).Clear();
        _previous.SetValue(null, 0);
    }

    /// <summary>Adds the branches taken since <see cref="Clear"/>.</summary>
    /// <returns>True if something is new: a branch, or the magnitude of its count.</returns>
    public bool Absorb()
    {
        var isNew = false;
        var words = new ReadOnlySpan<ulong>(_counts, Size / sizeof(ulong));
        for (var word = 0; word < words.Length; word++)
        {
            if (words[word] != 0)
                isNew |= Absorb(word * sizeof(ulong));
        }

        return isNew;
    }

    private bool Absorb(int at)
    {
        var isNew = false;
        for (var i = at; i < at + sizeof(ulong); i++)
        {
            var magnitude = Magnitude(_counts[i]);
            if ((_seen[i] & magnitude) == magnitude)
                continue;
            if (_seen[i] == 0)
                Edges++;
            _seen[i] |= magnitude;
            isNew = true;
        }

        return isNew;
    }

    private static byte Magnitude(byte count) => count switch
    {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        < 8 => 8,
        < 16 => 16,
        < 32 => 32,
        < 128 => 64,
        _ => 128,
    };
}
