using System.Reflection;
using System.Runtime.InteropServices;

namespace NzbDav.Fuzz.Coverage;

/// <summary>
/// Which branches a run took, and which no run has taken before: the map of American Fuzzy Lop, a counter per pair of branches, whose counts are told
/// apart by magnitude. The instrumented code counts; one thread reads. Made once per process.
/// </summary>
internal sealed unsafe class CoverageMap
{
    /// <summary>Bytes of the map that the instrumentation expects.</summary>
    private const int Size = 64 << 10;

    /// <summary>By name: a library that refers to it counts as instrumented already, and the planted faults are in ours.</summary>
    private static readonly Type Trace = Type.GetType("SharpFuzz.Common.Trace, SharpFuzz.Common", throwOnError: true)!;

    private readonly FieldInfo _previous = Trace.GetField("PrevLocation")!;
    private readonly byte* _counts;
    private readonly byte[] _seen = new byte[Size];

    /// <summary>From here on instrumented code may run: it counts into this map.</summary>
    public CoverageMap()
    {
        _counts = (byte*)NativeMemory.AllocZeroed(Size);
        Trace.GetField("SharedMem")!.SetValue(null, Pointer.Box(_counts, typeof(byte*)));
    }

    /// <summary>Pairs of branches taken so far.</summary>
    public int Edges { get; private set; }

    /// <summary>Forgets what the last run did. To be called before each.</summary>
    public void Clear()
    {
        new Span<byte>(_counts, Size).Clear();
        _previous.SetValue(null, 0);
    }

    /// <summary>Adds what was done since <see cref="Clear"/>.</summary>
    /// <returns>True when some of it is new: a branch, or how often one was taken.</returns>
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
