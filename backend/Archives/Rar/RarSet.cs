using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>Volumes that belong together.</summary>
internal sealed class RarSet
{
    /// <summary>True if the set was found by the names and its headers agree.</summary>
    public bool ByName { get; init; }

    /// <summary>The volumes found so far, in order.</summary>
    public List<RarVolume> Volumes { get; } = [];

    /// <summary>Duplicate volumes: part of the set, but redundant.</summary>
    public List<RarVolume> Others { get; } = [];

    /// <summary>True if two volumes fit equally well at some place.</summary>
    public bool Unordered { get; set; }

    /// <summary>Why it cannot be read.</summary>
    public ArchiveRefusal? Refusal { get; set; }

    public static RarSet Of(List<RarVolume> volumes, bool byName)
    {
        var set = new RarSet { ByName = byName };
        set.Volumes.AddRange(volumes);
        return set;
    }
}
