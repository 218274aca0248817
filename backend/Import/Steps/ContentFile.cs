using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Import.Names;

namespace NzbDav.Import.Steps;

/// <summary>A file as it will be published: a posted file itself, or one inside an archive.</summary>
/// <param name="Path">Folders and name, all made safe.</param>
/// <param name="Map">Where its bytes are; of an encrypted file, the encrypted bytes.</param>
/// <param name="Size">Size in bytes as readers see it, after decryption.</param>
internal sealed record ContentFile(IReadOnlyList<string> Path, ExtentMap Map, long Size)
{
    public string Name => Path[^1];

    /// <summary>How to decrypt the bytes of the map; null: they are the file's bytes.</summary>
    public FileEncryption? Encryption { get; init; }

    /// <summary>When it was modified, according to its archive, or else when it was posted; null if unknown.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>The name of the archive's set, without the volume's number; null for a file that is in no archive.</summary>
    public string? Archive { get; init; }

    /// <summary>Type by its first bytes if they were read, otherwise by its name.</summary>
    public FileType Type { get; init; }

    /// <summary>The extension that fits its first bytes, with its dot; empty if they show no type.</summary>
    public string Extension { get; init; } = "";

    /// <summary>
    /// True if the layout was confirmed by the articles; false if sizes and offsets were only computed (see
    /// <see cref="Probing.ProbedFile.Verified"/>).
    /// </summary>
    public bool Verified { get; init; } = true;

    /// <summary>The inferred volumes in the map. Readers have to verify them.</summary>
    public IReadOnlyList<InferredVolume> Inferred { get; init; } = [];
}
