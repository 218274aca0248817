using NzbDav.Catalog;
using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>A file as it will be published: posted as it is, or taken out of an archive.</summary>
/// <param name="Path">Folders and name, all made safe.</param>
/// <param name="Map">Where its bytes are; what is encrypted, as it is stored.</param>
/// <param name="Size">Bytes of the file as it opens.</param>
internal sealed record ContentFile(IReadOnlyList<string> Path, ExtentMap Map, long Size)
{
    public string Name => Path[^1];

    /// <summary>How the file comes out of the map; null: it is the map's bytes.</summary>
    public FileEncryption? Encryption { get; init; }

    /// <summary>When it was packed or posted; null when nobody says.</summary>
    public DateTimeOffset? Modified { get; init; }

    /// <summary>What its first bytes say it is, as far as they were looked at; else what its name says.</summary>
    public FileType Type { get; init; }

    /// <summary>The extension that its first bytes call for, with its dot; empty when they say nothing.</summary>
    public string Extension { get; init; } = "";

    /// <summary>True when every segment's size was seen in the segment itself.</summary>
    public bool Verified { get; init; } = true;

    /// <summary>What of the map was reckoned and has to be proven when it is read.</summary>
    public IReadOnlyList<ReckonedRun> Reckoned { get; init; } = [];
}
