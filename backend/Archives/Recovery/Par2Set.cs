using System.Collections.Immutable;

namespace NzbDav.Archives.Recovery;

/// <summary>What one PAR2 file says of the files that it protects. Immutable.</summary>
public sealed record Par2Set
{
    /// <summary>16 bytes that all files of a set share.</summary>
    public required ReadOnlyMemory<byte> Id { get; init; }

    /// <summary>Bytes in a slice, a multiple of 4; 0 when the main packet was not seen.</summary>
    public long SliceSize { get; init; }

    /// <summary>True for a packed set, whose slices hold several files or parts of some: its files are known, and none can be repaired.</summary>
    public bool IsPacked { get; init; }

    /// <summary>The files that were described, each once, in the order of their packets.</summary>
    public ImmutableArray<Par2File> Files { get; init; } = [];

    /// <summary>Files in the set, described here or not; 0 when the main packet was not seen.</summary>
    public int FileCount { get; init; }

    /// <summary>The ids of the files that the set can repair, in the order in which their slices are numbered; empty when the main packet was not seen.</summary>
    public ImmutableArray<ReadOnlyMemory<byte>> Recoverable { get; init; } = [];

    /// <summary>What this file and another one of the same set say together: packets of one may be damaged or gone.</summary>
    /// <param name="other">What the other says; not of the same set: it counts for nothing.</param>
    public Par2Set With(Par2Set other)
    {
        ArgumentNullException.ThrowIfNull(other);
        if (!other.Id.Span.SequenceEqual(Id.Span))
            return this;
        var main = FileCount > 0 ? this : other;
        var files = Files.ToDictionary(static file => Convert.ToHexString(file.Id.Span), StringComparer.Ordinal);
        foreach (var file in other.Files)
        {
            var key = Convert.ToHexString(file.Id.Span);
            files[key] = files.TryGetValue(key, out var known) && (known.SliceChecksums.Length > 0 || file.SliceChecksums.IsEmpty) ? known : file;
        }

        var recoverable = main.Recoverable.Select(static id => Convert.ToHexString(id.Span)).ToHashSet(StringComparer.Ordinal);
        return main with { Files = [.. files.Select(file => file.Value with { Recoverable = main.FileCount == 0 || recoverable.Contains(file.Key) })] };
    }

    /// <summary>True when every file of the set is described.</summary>
    public bool IsComplete => FileCount > 0 && Files.Length >= FileCount;
}
