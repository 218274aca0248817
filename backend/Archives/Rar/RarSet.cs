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

    /// <summary>Volumes that fit no better than others at their places.</summary>
    public HashSet<RarVolume> Doubtful { get; } = [];

    /// <summary>
    /// The volumes whose places are a guess: if there is a doubtful one, all that continue the set, except a last one that its headers
    /// prove.
    /// </summary>
    public IEnumerable<RarVolume> Guessed =>
        Doubtful.Count == 0 ? [] : Volumes.Skip(1).Where((volume, index) => index < Volumes.Count - 2 || Doubtful.Contains(volume));

    /// <summary>Why it cannot be read.</summary>
    public ArchiveRefusal? Refusal { get; set; }

    public static RarSet Of(List<RarVolume> volumes, bool byName)
    {
        var set = new RarSet { ByName = byName };
        set.Volumes.AddRange(volumes);
        return set;
    }
}
