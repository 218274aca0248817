namespace NzbDav.Archives.Rar;

/// <summary>Volumes that belong together.</summary>
internal sealed class RarSet
{
    /// <summary>The names say so, and the headers agree.</summary>
    public bool ByName { get; init; }

    /// <summary>In order, as far as it goes.</summary>
    public List<RarVolume> Volumes { get; } = [];

    /// <summary>Posted twice, or of no use: they belong to the set and hold nothing that the others do not.</summary>
    public List<RarVolume> Others { get; } = [];

    /// <summary>Somewhere two volumes fit equally well.</summary>
    public bool Unordered { get; set; }

    /// <summary>Why it cannot be read.</summary>
    public ArchiveRefusal? Refusal { get; set; }
}
