namespace NzbDav.Archives.Rar;

/// <summary>What the headers of one RAR volume say.</summary>
internal sealed class RarVolume
{
    /// <summary>Place in the list of files.</summary>
    public required int Index { get; init; }

    public required string Name { get; init; }

    /// <summary>As <see cref="ArchiveVolume.Place"/>.</summary>
    public int? Place { get; init; }

    /// <summary>As <see cref="ArchiveVolume.Posted"/>.</summary>
    public DateTimeOffset? Posted { get; init; }

    /// <summary>Bytes in the volume's file.</summary>
    public required long Length { get; init; }

    public required ArchiveFormat Format { get; init; }

    /// <summary>It is one of several: the main header says so.</summary>
    public bool IsVolume { get; set; }

    /// <summary>Zero-based; null when the headers do not say (RAR4 before 3.0, or where its end was not read).</summary>
    public int? Number { get; set; }

    /// <summary>The headers say that it is, or is not, the first.</summary>
    public bool? IsFirst { get; set; }

    /// <summary>The headers themselves were encrypted.</summary>
    public bool EncryptedHeaders { get; set; }

    /// <summary>The password that opened the headers.</summary>
    public string? Password { get; set; }

    public PasswordProof Proof { get; set; } = PasswordProof.NotNeeded;

    /// <summary>Files and folders, in the volume's order.</summary>
    public List<RarFile> Files { get; } = [];

    /// <summary>What the end header says of a volume behind this one; null when none was read.</summary>
    public bool? Continues { get; set; }

    /// <summary>Why it could not be read to its end.</summary>
    public ArchiveRefusal? Refusal { get; set; }

    public bool SplitBefore => Files.Count > 0 && Files[0].SplitBefore;

    public bool SplitAfter => Files.Count > 0 && Files[^1].SplitAfter;
}
