using NzbDav.Archives.Layouts;
using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Rar;

/// <summary>The contents of one RAR volume's headers.</summary>
internal sealed class RarVolume
{
    /// <summary>Index in the list of files.</summary>
    public required int Index { get; init; }

    public required string Name { get; init; }

    /// <summary>See <see cref="ArchiveVolume.Place"/>.</summary>
    public int? Place { get; init; }

    /// <summary>See <see cref="ArchiveVolume.Posted"/>.</summary>
    public DateTimeOffset? Posted { get; init; }

    /// <summary>Bytes of the volume.</summary>
    public required long Length { get; init; }

    public required ArchiveFormat Format { get; init; }

    /// <summary>True if the main header says that it is one of several volumes.</summary>
    public bool IsVolume { get; set; }

    /// <summary>
    /// Volume number, from 0; null if the headers do not have it (RAR4 before 3.0, or the end of the volume was not read).
    /// </summary>
    public int? Number { get; set; }

    /// <summary>Whether it is the first volume; null if the headers do not say.</summary>
    public bool? IsFirst { get; set; }

    /// <summary>True if the headers themselves are encrypted.</summary>
    public bool EncryptedHeaders { get; set; }

    /// <summary>The password that opened the headers.</summary>
    public string? Password { get; set; }

    public PasswordProof Proof { get; set; } = PasswordProof.NotNeeded;

    /// <summary>Files and folders, in the volume's order.</summary>
    public List<RarFile> Files { get; } = [];

    /// <summary>Whether another volume follows, according to the end header; null if no end header was read.</summary>
    public bool? Continues { get; set; }

    /// <summary>Why the headers could not be read to the end; null if they could.</summary>
    public ArchiveRefusal? Refusal { get; set; }

    public bool SplitBefore => Files.Count > 0 && Files[0].SplitBefore;

    public bool SplitAfter => Files.Count > 0 && Files[^1].SplitAfter;

    /// <summary>Place in the set by the headers only, from 0; null if they do not say.</summary>
    public int? HeaderNumber => !IsVolume || IsFirst == true ? 0 : Number;

    /// <summary>Place in the set by the name only, from 0 or 1; null if the name has no number.</summary>
    public int? NameNumber => VolumeName.Parse(Name)?.Number;

    /// <summary>
    /// A key that is equal for volumes of one format whose names share a stem, and unique for a file without a volume name.
    /// </summary>
    public string Stem() => IsVolume && VolumeName.Parse(Name) is { } name ? $"{Format}|{name.Stem}" : $"|{Index}";

    /// <summary>True if both have the same headers: the volume was posted twice.</summary>
    public bool IsCopyOf(RarVolume other) =>
        Format == other.Format && Length == other.Length && Number == other.Number && Files.Count == other.Files.Count
        && Files.Zip(other.Files).All(pair => pair.First.Crc32 == pair.Second.Crc32 && pair.First.DataOffset == pair.Second.DataOffset
            && string.Equals(pair.First.Path, pair.Second.Path, StringComparison.Ordinal));
}
