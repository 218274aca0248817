using System.Collections.Immutable;

namespace NzbDav.Archives.Layouts;

/// <summary>One archive of a post: its entries and their location, or why these cannot be determined. Immutable.</summary>
public sealed record ArchiveLayout
{
    /// <summary>Its format.</summary>
    public required ArchiveFormat Format { get; init; }

    /// <summary>The files that it consists of, in the archive's order: indexes into the list given to
    /// <see cref="ArchiveReader"/>.</summary>
    public required ImmutableArray<int> Volumes { get; init; }

    /// <summary>Its entries, in the archive's order. Empty if <see cref="Refusal"/> is set.</summary>
    public ImmutableArray<ArchiveEntry> Entries { get; init; } = [];

    /// <summary>Why nothing of it can be served; null if it can be read (single entries may still be refused).</summary>
    public ArchiveRefusal? Refusal { get; init; }

    /// <summary>True for a split file whose container ends at or before the end of its parts.</summary>
    public bool IsWhole { get; init; }

    /// <summary>Volumes whose order is a guess that is still to be proven.</summary>
    internal ImmutableArray<int> Guessed { get; init; } = [];

    /// <summary>The password that opened it; null if none was needed.</summary>
    public string? Password { get; init; }

    /// <summary>How certain the password is.</summary>
    public PasswordProof Proof { get; init; } = PasswordProof.NotNeeded;

    /// <summary>
    /// Archives and disc images among the entries. Their <see cref="Volumes"/> are indexes into this layout's <see cref="Entries"/>; the
    /// pieces of their entries refer to the files given to <see cref="ArchiveReader"/>, as everywhere.
    /// </summary>
    public ImmutableArray<ArchiveLayout> Nested { get; init; } = [];

    /// <summary>
    /// Headers that were inferred instead of read, by volume. <c>Rar.ExpectedHeader</c> checks each against the volume's first bytes before
    /// any of the volume's data may be used. If one does not match, <see cref="ArchiveReader"/> returns the true layout when it is called
    /// without regular sets. Empty if every header was read.
    /// </summary>
    public IReadOnlyDictionary<int, ReadOnlyMemory<byte>> Expected { get; init; } = ImmutableDictionary<int, ReadOnlyMemory<byte>>.Empty;

    /// <summary>
    /// The entries to show. Files of nested archives replace those archives' volumes; a nested archive that is refused is shown as its
    /// volumes. A disc image stays, and its files are in a folder beside it, named like it without the extension.
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
            var folder = nested.Format is ArchiveFormat.Iso9660 or ArchiveFormat.Udf
                ? WithoutEnding(path) + "/" : path[..(path.LastIndexOf('/') + 1)];
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

/// <summary>Format of a set of files.</summary>
public enum ArchiveFormat
{
    /// <summary>RAR 1.5 to 4.x (signature 1.5).</summary>
    Rar4,

    /// <summary>RAR 5.0 and later.</summary>
    Rar5,

    /// <summary>7z.</summary>
    SevenZip,

    /// <summary>ZIP.</summary>
    Zip,

    /// <summary>A file cut into numbered parts that have no headers of their own.</summary>
    Split,

    /// <summary>A disc image with ISO 9660 and no UDF.</summary>
    Iso9660,

    /// <summary>A disc image with UDF, with or without ISO 9660 beside it.</summary>
    Udf,
}

/// <summary>How certain the password is; a higher value is better proof.</summary>
public enum PasswordProof
{
    /// <summary>Nothing could be checked: the format has no check value, and there was only one password to use.</summary>
    Unproved,

    /// <summary>
    /// The decrypted bytes begin like the type of file that the name implies, or like another type with a long signature.
    /// </summary>
    Magic,

    /// <summary>A whole small file has the checksum stored in the archive.</summary>
    Checksum,

    /// <summary>Headers were decrypted and have the right checksum.</summary>
    Headers,

    /// <summary>The format's own check value agrees.</summary>
    CheckValue,

    /// <summary>Nothing in the archive is encrypted.</summary>
    NotNeeded,
}
