using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

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

    /// <summary>True for a cut file whose container says that it ends where its parts do, or before.</summary>
    public bool IsWhole { get; init; }

    /// <summary>The password that opened it; null when none was needed.</summary>
    public string? Password { get; init; }

    /// <summary>How sure the password is.</summary>
    public PasswordProof Proof { get; init; } = PasswordProof.NotNeeded;

    /// <summary>
    /// Archives and disc images among the entries. Their <see cref="Volumes"/> are places in this layout's <see cref="Entries"/>; the pieces of their entries lie in the files
    /// that were given to <see cref="ArchiveReader"/>, as everywhere.
    /// </summary>
    public ImmutableArray<ArchiveLayout> Nested { get; init; } = [];

    /// <summary>
    /// Headers that were not read but reckoned from their neighbours. Each is to be checked with <see cref="Rar.RarExpectation.AgreesAsync"/> when the
    /// volume's first article is read; if one does not agree, <see cref="ArchiveReader"/> with <see cref="ArchiveOptions.Reckon"/> off gives
    /// the true layout. Empty when every header was read.
    /// </summary>
    public ImmutableArray<ExpectedHeader> Expected { get; init; } = [];

    /// <summary>
    /// What a person wants to see: the entries, with the files of archives inside in place of those archives' volumes. A nested archive that is refused stays as its
    /// volumes. A disc image stays, and its files are in a folder beside it that has its name without the ending.
    /// </summary>
    public IEnumerable<ArchiveEntry> Flatten()
    {
        var replaced = new HashSet<int>();
        foreach (var nested in Nested)
        {
            if (nested is { Refusal: null, Format: not (ArchiveFormat.Iso9660 or ArchiveFormat.Udf) })
                replaced.UnionWith(nested.Volumes);
        }

        for (var i = 0; i < Entries.Length; i++)
        {
            if (!replaced.Contains(i))
                yield return Entries[i];
        }

        foreach (var nested in Nested)
        {
            if (nested.Refusal is not null || nested.Volumes.IsEmpty)
                continue;
            var path = Entries[nested.Volumes[0]].Path;
            var folder = nested.Format is ArchiveFormat.Iso9660 or ArchiveFormat.Udf ? WithoutEnding(path) + "/" : path[..(path.LastIndexOf('/') + 1)];
            foreach (var entry in nested.Flatten())
                yield return entry with { Path = folder + entry.Path };
        }
    }

    private static string WithoutEnding(string path)
    {
        var dot = path.LastIndexOf('.');
        return dot > path.LastIndexOf('/') + 1 ? path[..dot] : path + ".files";
    }
}
