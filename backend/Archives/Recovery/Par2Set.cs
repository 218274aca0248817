using System.Collections.Immutable;

namespace NzbDav.Archives.Recovery;

/// <summary>What one PAR2 file says of the files that it protects. Immutable.</summary>
public sealed record Par2Set
{
    /// <summary>16 bytes that all files of a set share.</summary>
    public required ReadOnlyMemory<byte> Id { get; init; }

    /// <summary>Bytes in a slice, a multiple of 4; 0 when the main packet was not seen.</summary>
    public long SliceSize { get; init; }

    /// <summary>The files that were described, each once, in the order of their packets.</summary>
    public ImmutableArray<Par2File> Files { get; init; } = [];

    /// <summary>Files in the set, described here or not; 0 when the main packet was not seen.</summary>
    public int FileCount { get; init; }

    /// <summary>The ids of the files that the set can repair, in the order in which their slices are numbered; empty when the main packet was not seen.</summary>
    public ImmutableArray<ReadOnlyMemory<byte>> Recoverable { get; init; } = [];

    /// <summary>True when every file of the set is described.</summary>
    public bool IsComplete => FileCount > 0 && Files.Length >= FileCount;
}
