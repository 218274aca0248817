using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Volumes that belong to no set yet, sorted so that the one which comes next is found without looking at the others: a season pack has tens of thousands. For one caller at a time.
/// </summary>
internal sealed class RarVolumePool
{
    /// <summary>Nobody posts a volume as often: what has so many twins is taken for unordered.</summary>
    private const int MostTwins = 32;

    private readonly Dictionary<Key, SortedSet<RarVolume>> _buckets = [];
    private readonly Dictionary<RarVolume, string> _stems = [];
    private readonly HashSet<RarVolume> _left;
    private readonly Comparer<RarVolume> _order;

    /// <param name="volumes">All of them.</param>
    public RarVolumePool(List<RarVolume> volumes)
    {
        _order = Comparer<RarVolume>.Create((a, b) =>
        {
            Comparisons++;
            return (Turn(a), a.Index).CompareTo((Turn(b), b.Index));
        });
        _left = [.. volumes];
        foreach (var volume in volumes)
        {
            _stems[volume] = volume.Stem();
            foreach (var key in KeysOf(volume))
            {
                if (!_buckets.TryGetValue(key, out var bucket))
                    _buckets[key] = bucket = new SortedSet<RarVolume>(_order);
                bucket.Add(volume);
            }
        }
    }

    /// <summary>How often two volumes were compared.</summary>
    public long Comparisons { get; private set; }

    /// <summary>What is left, in the order of the files.</summary>
    public IEnumerable<RarVolume> All => _left.OrderBy(volume => volume.Index).ToList();

    public void Remove(RarVolume volume)
    {
        _left.Remove(volume);
        foreach (var key in KeysOf(volume))
            _buckets[key].Remove(volume);
    }

    /// <summary>
    /// The volume that follows another one by its headers. What is packed from one file comes first, then what has the same stem, a number, the same length; then names, counts and dates decide.
    /// </summary>
    /// <param name="last">The volume before.</param>
    /// <param name="number">The number that the next one has, if it says one.</param>
    /// <returns>Null: none fits. Not proven: another one fits as well.</returns>
    public (RarVolume? Volume, bool Proven) Next(RarVolume last, int number)
    {
        var key = new Key(last.Format, number, RarContinuation.Behind(last), RarPacking.Behind(last), _stems[last], last.Length);

        // Where nothing says that more follows, only the name can.
        var anyStem = last.SplitAfter || last.Continues is not null;
        for (var wanted = 15; wanted >= 0; wanted--)
        {
            var (packing, stem, numbered, length) = ((wanted & 8) != 0, (wanted & 4) != 0, (wanted & 2) != 0, (wanted & 1) != 0);
            if ((packing && key.Packing is null) || (!stem && !anyStem))
                continue;
            var bucket = key with { Packing = packing ? key.Packing : null, Stem = stem ? key.Stem : null, Number = numbered ? number : null, Length = length ? key.Length : null };
            if (_buckets.GetValueOrDefault(bucket)?.Min is { } best)
                return (best, AreTwins(best, _buckets[bucket]));
        }

        return (null, true);
    }

    private bool AreTwins(RarVolume best, SortedSet<RarVolume> bucket)
    {
        var twins = 0;
        foreach (var other in bucket.Skip(1))
        {
            Comparisons++;
            if (Turn(other) != Turn(best))
                return true;
            if (++twins > MostTwins || !other.IsCopyOf(best))
                return false;
        }

        return true;
    }

    /// <summary>What orders volumes that the headers leave open: the number in the name, the poster's count, the date; the one that ends its file comes last. A place in the list proves nothing.</summary>
    private static (int Name, int Place, bool IsLast, DateTimeOffset Posted) Turn(RarVolume volume) =>
        (volume.NameNumber ?? int.MaxValue, volume.Place ?? int.MaxValue, !volume.SplitAfter, volume.Posted ?? DateTimeOffset.MaxValue);

    /// <summary>A volume is found by all that is known of it, and by less where nothing fits better.</summary>
    private IEnumerable<Key> KeysOf(RarVolume volume)
    {
        if (!volume.IsVolume)
            yield break;
        var key = new Key(volume.Format, volume.Number, RarContinuation.Of(volume), RarPacking.Of(volume), _stems[volume], volume.Length);
        for (var part = key.Packing is null ? 3 : 7; part >= 0; part--)
            yield return key with { Packing = (part & 4) != 0 ? key.Packing : null, Stem = (part & 2) != 0 ? key.Stem : null, Length = (part & 1) != 0 ? key.Length : null };
    }

    private readonly record struct Key(ArchiveFormat Format, int? Number, RarContinuation Continuation, RarPacking? Packing, string? Stem, long? Length);
}
