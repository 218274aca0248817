namespace NzbDav.Archives.Rar;

/// <summary>Volumes that belong to no set yet, by number: a season pack has tens of thousands. For one caller at a time.</summary>
internal sealed class RarVolumePool
{
    private readonly Dictionary<int, HashSet<RarVolume>> _numbered = [];
    private readonly HashSet<RarVolume> _unnumbered = [];
    private readonly Dictionary<RarVolume, string> _stems = [];

    /// <param name="volumes">All of them.</param>
    /// <param name="stem">What sorts names; asked once for each.</param>
    public RarVolumePool(List<RarVolume> volumes, Func<RarVolume, string> stem)
    {
        foreach (var volume in volumes)
        {
            _stems[volume] = stem(volume);
            Bucket(volume).Add(volume);
        }
    }

    /// <summary>What is left, in the order of the files.</summary>
    public IEnumerable<RarVolume> All => _numbered.Values.SelectMany(bucket => bucket).Concat(_unnumbered).OrderBy(volume => volume.Index).ToList();

    /// <summary>What may be the volume of this number: those that say so, and those that say nothing.</summary>
    public IEnumerable<RarVolume> At(int number) => _numbered.TryGetValue(number, out var bucket) ? bucket.Concat(_unnumbered) : _unnumbered;

    public void Remove(RarVolume volume) => Bucket(volume).Remove(volume);

    public string StemOf(RarVolume volume) => _stems[volume];

    private HashSet<RarVolume> Bucket(RarVolume volume)
    {
        if (volume.Number is not { } number)
            return _unnumbered;
        if (!_numbered.TryGetValue(number, out var bucket))
            _numbered[number] = bucket = [];
        return bucket;
    }
}
