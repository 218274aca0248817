using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Rar;

/// <summary>
/// Volumes that are in no set yet, indexed so that the next one is found without scanning the others: a season pack has tens of thousands.
/// For one caller at a time.
/// </summary>
internal sealed class RarVolumePool
{
    /// <summary>Most duplicates of a volume: nobody posts one that often, so more count as unordered.</summary>
    private const int MostTwins = 32;

    private readonly Dictionary<Key, SortedSet<RarVolume>> _buckets = [];
    private readonly Dictionary<RarVolume, string> _stems = [];
    private readonly HashSet<RarVolume> _left;
    private readonly Comparer<RarVolume> _order;

    /// <param name="volumes">All volumes.</param>
    public RarVolumePool(List<RarVolume> volumes)
    {
        _order = Comparer<RarVolume>.Create((a, b) =>
        {
            Comparisons++;
            return (OrderKey(a), a.Index).CompareTo((OrderKey(b), b.Index));
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

    /// <summary>Number of comparisons of two volumes.</summary>
    public long Comparisons { get; private set; }

    /// <summary>The remaining volumes, in the order of the files.</summary>
    public IEnumerable<RarVolume> All => _left.OrderBy(volume => volume.Index).ToList();

    public void Remove(RarVolume volume)
    {
        _left.Remove(volume);
        foreach (var key in KeysOf(volume))
            _buckets[key].Remove(volume);
    }

    /// <summary>
    /// Finds the volume that follows another by its headers. Criteria in order: part of the same packed file, same stem, a number, same
    /// length; then names, the poster's count and dates decide.
    /// </summary>
    /// <param name="last">The previous volume.</param>
    /// <param name="number">The number that the next volume must have, if its headers have one.</param>
    /// <returns>The volume, null if none fits. Proven is false if another one fits as well.</returns>
    public (RarVolume? Volume, bool Proven) Next(RarVolume last, int number)
    {
        var key = new Key(last.Format, number, RarContinuation.After(last), RarPacking.After(last), _stems[last], last.Length);

        // If no header says whether more volumes follow, only the name can.
        var anyStem = last.SplitAfter || last.Continues is not null;
        for (var wanted = 15; wanted >= 0; wanted--)
        {
            var (packing, stem, numbered, length) = ((wanted & 8) != 0, (wanted & 4) != 0, (wanted & 2) != 0, (wanted & 1) != 0);
            if ((packing && key.Packing is null) || (!stem && !anyStem))
                continue;
            var bucket = key with
            {
                Packing = packing ? key.Packing : null,
                Stem = stem ? key.Stem : null,
                Number = numbered ? number : null,
                Length = length ? key.Length : null
            };
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
            if (OrderKey(other) != OrderKey(best))
                return true;
            if (++twins > MostTwins || !other.IsCopyOf(best))
                return false;
        }

        return true;
    }

    /// <summary>
    /// Order of volumes that the headers leave open: by the number in the name, the poster's count, the date. The one that ends its file
    /// comes last. The position in the list proves nothing.
    /// </summary>
    private static (int Name, int Place, bool IsLast, DateTimeOffset Posted) OrderKey(RarVolume volume) =>
        (volume.NameNumber ?? int.MaxValue, volume.Place ?? int.MaxValue, !volume.SplitAfter, volume.Posted ?? DateTimeOffset.MaxValue);

    /// <summary>Keys from the most to the least specific. A less specific key finds a volume only if nothing fits better.</summary>
    private IEnumerable<Key> KeysOf(RarVolume volume)
    {
        if (!volume.IsVolume)
            yield break;
        var key = new Key(volume.Format, volume.Number, RarContinuation.Of(volume), RarPacking.Of(volume), _stems[volume], volume.Length);
        for (var part = key.Packing is null ? 3 : 7; part >= 0; part--)
            yield return key with
            {
                Packing = (part & 4) != 0 ? key.Packing : null,
                Stem = (part & 2) != 0 ? key.Stem : null,
                Length = (part & 1) != 0 ? key.Length : null
            };
    }

    private readonly record struct Key(
        ArchiveFormat Format, int? Number, RarContinuation Continuation, RarPacking? Packing, string? Stem, long? Length);
}

/// <summary>The file that continues across a volume boundary: equal for both volumes. Default if none does.</summary>
internal readonly record struct RarContinuation(string? Path, long? Size, int Method)
{
    /// <summary>The file that the volume after this one must begin with.</summary>
    public static RarContinuation After(RarVolume volume) => volume.SplitAfter ? Of(volume.Files[^1]) : default;

    /// <summary>The file that a volume begins with.</summary>
    public static RarContinuation Of(RarVolume volume) => volume.SplitBefore ? Of(volume.Files[0]) : default;

    private static RarContinuation Of(RarFile file) => new(file.Path, file.Size, file.Method);
}

/// <summary>Distinguishes two files of the same name and size: by date or by the salt of the key.</summary>
internal sealed record RarPacking(DateTimeOffset? Modified, string? Salt)
{
    /// <summary>That of the file that continues in the volume after this one; null if none does.</summary>
    public static RarPacking? After(RarVolume volume) => volume.SplitAfter ? Of(volume.Files[^1]) : null;

    /// <summary>That of the file that this volume continues; null if it continues none.</summary>
    public static RarPacking? Of(RarVolume volume) => volume.SplitBefore ? Of(volume.Files[0]) : null;

    private static RarPacking Of(RarFile file) =>
        new(file.Modified, file.Encryption is { } encryption ? Convert.ToHexString(encryption.Salt.Span) : null);
}
