using System.Collections.Immutable;
using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;
using NzbDav.Content;

namespace NzbDav.Archives;

/// <summary>How archives are read.</summary>
public sealed record ArchiveOptions
{
    /// <summary>Tried in order. Empty ones are ignored.</summary>
    public ImmutableArray<string> Passwords { get; init; } = [];

    /// <summary>
    /// True: of a long regular set only the first, second and last volumes are read, the others reckoned (unless their
    /// <see cref="ArchiveVolume.Head"/> is known) and told by <see cref="ArchiveLayout.Expected"/>. False: every volume's headers are read.
    /// </summary>
    public bool Reckon { get; init; } = true;

    /// <summary>The intent of all reads. <see cref="ReadIntent.Import"/> gives way to readers.</summary>
    public ReadIntent Intent { get; init; } = ReadIntent.Import;

    /// <summary>Volumes read at the same time, at least 1. Hides round trips.</summary>
    public int Together { get; init; } = 32;

    /// <summary>How deep archives and disc images inside archives are looked into, 0 … 4.</summary>
    public int Depth { get; init; } = 2;

    /// <summary>Where bytes of encrypted archives are decrypted to look for archives in them. Default: a small pool of its own.</summary>
    public BufferPool Pool { get; init; } = new(new BufferBudget(8 << 20));
}
