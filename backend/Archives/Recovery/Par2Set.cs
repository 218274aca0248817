using System.Collections.Immutable;

namespace NzbDav.Archives.Recovery;

/// <summary>One PAR2 file's description of the files that it protects. Immutable.</summary>
public sealed record Par2Set
{
    /// <summary>16 bytes that all files of a set share.</summary>
    public required ReadOnlyMemory<byte> Id { get; init; }

    /// <summary>Bytes in a slice, a multiple of 4; 0 if the main packet was not found.</summary>
    public long SliceSize { get; init; }

    /// <summary>True for a packed set, whose slices hold several files or parts of some: its files are known, but none of them can be repaired.</summary>
    public bool IsPacked { get; init; }

    /// <summary>The described files, each once, in the order of their packets.</summary>
    public ImmutableArray<Par2File> Files { get; init; } = [];

    /// <summary>Number of files in the set, described here or not; 0 if the main packet was not found.</summary>
    public int FileCount { get; init; }

    /// <summary>The ids of the files that the set can repair, in the order in which their slices are numbered; empty when the main packet was not seen.</summary>
    public ImmutableArray<ReadOnlyMemory<byte>> Recoverable { get; init; } = [];

    /// <summary>Merges the descriptions of two files of the same set: packets of one may be damaged or missing.</summary>
    /// <param name="other">Ignored if it belongs to another set.</param>
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
