using System.Collections.Immutable;

namespace NzbDav.Archives;

/// <summary>One archive of a post: what is in it and where, or why that cannot be told. Immutable.</summary>
public sealed record ArchiveLayout
{
    /// <summary>What kind it is.</summary>
    public required ArchiveFormat Format { get; init; }

    /// <summary>The files that it is made of, in the archive's order: indexes into the list given to <see cref="ArchiveReader"/>.</summary>
    public required ImmutableArray<int> Volumes { get; init; }

    /// <summary>What is in it, in the archive's order. Empty when <see cref="Refusal"/> is set.</summary>
    public ImmutableArray<ArchiveEntry> Entries { get; init; } = [];

    /// <summary>Why nothing of it can be served; null when it can be read (single entries may still be refused).</summary>
    public ArchiveRefusal? Refusal { get; init; }

    /// <summary>The password that opened it; null when none was needed.</summary>
    public string? Password { get; init; }

    /// <summary>How sure the password is.</summary>
    public PasswordProof Proof { get; init; } = PasswordProof.NotNeeded;

    /// <summary>
    /// Headers that were not read but reckoned from their neighbours. Each is to be checked with <see cref="ExpectedHeader.AgreesAsync"/> when the
    /// volume's first article is read; if one does not agree, <see cref="ArchiveReader"/> with <see cref="ArchiveOptions.Reckon"/> off gives
    /// the true layout. Empty when every header was read.
    /// </summary>
    public ImmutableArray<ExpectedHeader> Expected { get; init; } = [];
}
