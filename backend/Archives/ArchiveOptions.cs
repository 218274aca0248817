using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>How archives are read.</summary>
public sealed record ArchiveOptions
{
    /// <summary>Passwords, tried in order. Empty ones are ignored.</summary>
    public ImmutableArray<string> Passwords { get; init; } = [];

    /// <summary>
    /// Sets that the caller considers regular, each as ordered indexes into the list of files. Of a regular RAR set, only the first two volumes and the last
    /// are read: the headers of the others are inferred and listed in <see cref="ArchiveLayout.Expected"/>. Empty: the headers of every volume are read.
    /// </summary>
    public IReadOnlyList<IReadOnlyList<int>> RegularSets { get; init; } = [];

    /// <summary>The intent of all reads. With <see cref="ReadIntent.Import"/> they have a lower priority than those of readers.</summary>
    public ReadIntent Intent { get; init; } = ReadIntent.Import;

    /// <summary>Volumes that are read at a time, to hide round trips; at least 1.</summary>
    public int Together { get; init; } = 32;

    /// <summary>
    /// Bytes that are read of whole archives, for their checksums, if nothing else proves the order of their volumes. A larger archive is
    /// refused. By default 512 MiB: five to ten seconds on a fast line.
    /// </summary>
    public long MostChecked { get; init; } = 512L << 20;

    /// <summary>Called with the bytes that were read of such an archive, and with those that it has, for each segment.</summary>
    public Action<long, long>? Checked { get; init; }

    /// <summary>Nesting depth to which archives and disc images inside archives are read, 0 … 4.</summary>
    public int Depth { get; init; } = 2;

    /// <summary>Buffers for decrypting encrypted archives when looking for archives inside them. Default: a small pool of its own.</summary>
    public BufferPool Pool { get; init; } = new(new BufferBudget(8 << 20));
}
