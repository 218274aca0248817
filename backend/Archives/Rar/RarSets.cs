namespace NzbDav.Archives.Rar;

/// <summary>
/// Sorts volumes into sets. Names come first, if what they say is confirmed by the headers; what is left is chained by what the headers say: number,
/// which file goes on from one volume to the next, and how long it is.
/// </summary>
internal static class RarSets
{
    public static List<RarSet> Group(IReadOnlyList<RarVolume> volumes)
    {
        var sets = new List<RarSet>();
        Refused(volumes, sets);
        var pool = new List<RarVolume>();
        foreach (var stem in volumes.Where(volume => volume.Refusal is null).GroupBy(Stem, StringComparer.Ordinal))
        {
            var (volumesOnce, copies) = WithoutCopies(stem);
            if (TryOrder(volumesOnce) is { } ordered)
            {
                var set = Of(ordered, byName: true);
                set.Others.AddRange(copies);
                sets.Add(set);
            }
            else
            {
                pool.AddRange(stem);
            }
        }

        pool.Sort((a, b) => a.Index.CompareTo(b.Index));
        Chain(pool, [.. volumes.Where(volume => volume.Refusal is not null)], sets);
        return sets;
    }

    /// <summary>Each volume once, and those that were posted again.</summary>
    private static (List<RarVolume> Once, List<RarVolume> Copies) WithoutCopies(IEnumerable<RarVolume> volumes)
    {
        var once = new Dictionary<int, RarVolume>();
        var (rest, copies) = (new List<RarVolume>(), new List<RarVolume>());
        foreach (var volume in volumes)
        {
            if ((HeaderNumber(volume) ?? NameNumber(volume)) is not { } number || once.TryAdd(number, volume))
                rest.Add(volume);
            else
                (IsCopy(volume, once[number]) ? copies : rest).Add(volume);
        }

        return (rest, copies);
    }

    /// <summary>One stem of names with one format; what has no volume name is alone.</summary>
    private static string Stem(RarVolume volume) =>
        volume.IsVolume && VolumeName.Parse(volume.Name) is { } name ? $"{volume.Format}|{name.Stem}" : $"|{volume.Index}";

    /// <summary>Place in the set, by the headers alone.</summary>
    private static int? HeaderNumber(RarVolume volume) => !volume.IsVolume || volume.IsFirst == true ? 0 : volume.Number;

    /// <summary>Place in the set by the name alone, from 0 or 1.</summary>
    private static int? NameNumber(RarVolume volume) => VolumeName.Parse(volume.Name)?.Number;

    /// <summary>The volumes in order if they are a whole set; else null.</summary>
    private static List<RarVolume>? TryOrder(List<RarVolume> volumes)
    {
        if (volumes.Count == 1)
            return volumes[0] is { SplitBefore: false, SplitAfter: false, Continues: not true } && HeaderNumber(volumes[0]) is 0 or null ? volumes : null;

        // RAR4 tells its number at the volume's end, which is not read of all: then all go by their names.
        Func<RarVolume, int?> number = volumes.TrueForAll(volume => HeaderNumber(volume) is not null) ? HeaderNumber : NameNumber;
        volumes.Sort((a, b) => (number(a) ?? 0).CompareTo(number(b) ?? 0));
        if (volumes[0].SplitBefore || volumes[^1].SplitAfter || volumes[^1].Continues == true || (number(volumes[0]) ?? 0) > (number == HeaderNumber ? 0 : 1))
            return null;
        for (var i = 1; i < volumes.Count; i++)
        {
            if (number(volumes[i]) - number(volumes[i - 1]) != 1 || !Follows(volumes[i - 1], volumes[i]))
                return null;
        }

        return volumes;
    }

    /// <summary>The headers allow that one comes right behind the other.</summary>
    private static bool Follows(RarVolume before, RarVolume after)
    {
        if (before.Continues == false || before.SplitAfter != after.SplitBefore)
            return false;
        if (!before.SplitAfter)
            return true;
        var (a, b) = (before.Files[^1], after.Files[0]);
        return string.Equals(a.Path, b.Path, StringComparison.Ordinal) && a.Size == b.Size && a.Method == b.Method;
    }

    private static void Chain(List<RarVolume> pool, List<RarVolume> refused, List<RarSet> sets)
    {
        var left = new RarVolumePool(pool, Stem);
        var begun = new List<RarSet>();
        foreach (var volume in pool)
        {
            if (volume.SplitBefore || HeaderNumber(volume) is > 0)
                continue;
            left.Remove(volume);
            begun.Add(Of([volume], byName: false));
        }

        // All sets grow together, so that each volume goes to the set whose turn it is.
        for (var growing = true; growing;)
        {
            growing = false;
            foreach (var set in begun)
            {
                var (next, proven) = Next(set, left);
                if (next is null)
                    continue;
                left.Remove(next);
                set.Volumes.Add(next);
                set.Unordered |= !proven;
                growing = true;
            }
        }

        foreach (var set in begun)
            set.Refusal = MissingAfter(set, refused) ?? (set.Unordered ? ArchiveRefusals.Unordered("RAR", set.Volumes.Count, set.Volumes[0].Name) : null);
        sets.AddRange(begun);
        Strays(left, sets);
    }

    /// <summary>The volume that comes next, if there is one. Not proven: another one fits as well.</summary>
    private static (RarVolume? Volume, bool Proven) Next(RarSet set, RarVolumePool left)
    {
        var last = set.Volumes[^1];
        if (!last.IsVolume || last.Continues == false)
            return (null, true);
        RarVolume? best = null;
        var bestScore = -1;
        var proven = true;
        foreach (var volume in left.At(set.Volumes.Count))
        {
            if (!volume.IsVolume || volume.Format != last.Format || !Follows(last, volume))
                continue;
            var sameStem = string.Equals(left.StemOf(last), left.StemOf(volume), StringComparison.Ordinal);

            // Where nothing says that more follows, only the name can.
            if (!last.SplitAfter && last.Continues is null && !sameStem)
                continue;
            var score = (IsOneFile(last, volume) ? 8 : 0) + (sameStem ? 4 : 0) + (volume.Number is not null ? 2 : 0) + (volume.Length == last.Length ? 1 : 0);
            var order = score != bestScore ? bestScore.CompareTo(score) : Turn(volume).CompareTo(Turn(best!));
            if (order == 0)
                proven &= IsCopy(volume, best!);
            else if (order < 0)
                (best, bestScore, proven) = (volume, score, true);
        }

        return (best, proven);
    }

    /// <summary>The parts were packed from one file, as far as headers tell: two of one name and size have different dates, or keys.</summary>
    private static bool IsOneFile(RarVolume before, RarVolume after) =>
        before.SplitAfter && before.Files[^1] is var a && after.Files[0] is var b && a.Modified == b.Modified
        && (a.Encryption is null ? b.Encryption is null : b.Encryption is not null && a.Encryption.Salt.Span.SequenceEqual(b.Encryption.Salt.Span));

    /// <summary>What orders volumes that the headers leave open: the number in the name, the poster's count, the date; the one that ends its file comes last. A place in the list proves nothing.</summary>
    private static (int Name, int Place, bool IsLast, DateTimeOffset Posted) Turn(RarVolume volume) =>
        (NameNumber(volume) ?? int.MaxValue, volume.Place ?? int.MaxValue, !volume.SplitAfter, volume.Posted ?? DateTimeOffset.MaxValue);

    private static ArchiveRefusal? MissingAfter(RarSet set, List<RarVolume> refused)
    {
        var last = set.Volumes[^1];
        if (!last.SplitAfter && last.Continues != true)
            return null;

        // One that is there and cannot be read: what is wrong with it says more than that it is not there.
        var which = $"volume {set.Volumes.Count + 1} of the set that begins with '{set.Volumes[0].Name}'";
        return refused.Find(volume => VolumeName.Parse(volume.Name) is { } name && VolumeName.Parse(last.Name) is { } before && name == before with { Number = before.Number + 1 })?.Refusal is { } reason
            ? reason with { Text = $"RAR: {which} cannot be read. {reason.Text}" }
            : new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, $"RAR volumes missing: {which} is not there.");
    }

    /// <summary>What found no place: posted twice, or behind a gap.</summary>
    private static void Strays(RarVolumePool left, List<RarSet> sets)
    {
        RarSet? strays = null;
        foreach (var volume in left.All)
        {
            if (sets.Find(set => set.Volumes.Exists(other => IsCopy(volume, other))) is { } twin)
            {
                twin.Others.Add(volume);
                continue;
            }

            if (sets.Find(set => set.Refusal is not null && set.Volumes.Exists(other => IsAkin(volume, other))) is { } broken)
            {
                broken.Others.Add(volume);
                continue;
            }

            if (strays is null)
            {
                strays = new RarSet();
                sets.Add(strays);
            }

            strays.Volumes.Add(volume);
        }

        if (strays is not null)
            strays.Refusal = MissingBefore(strays.Volumes.MinBy(volume => Place(volume) ?? int.MaxValue)!);
    }

    private static ArchiveRefusal MissingBefore(RarVolume volume)
    {
        var which = Place(volume) switch
        {
            null => $"the one before '{volume.Name}'",
            1 => $"volume 1 of the set of '{volume.Name}'",
            { } place => $"volumes 1 to {place} of the set of '{volume.Name}'",
        };
        return new ArchiveRefusal(ArchiveRefusalReason.MissingVolumes, $"RAR volumes missing: {which} {(Place(volume) > 1 ? "are" : "is")} not there.");
    }

    /// <summary>How many volumes come before it; null when neither its headers nor its name tell.</summary>
    private static int? Place(RarVolume volume) =>
        volume.Number is > 0 and var number ? number
        : VolumeName.Parse(volume.Name) is { } name ? Math.Max(1, name.Scheme == VolumeScheme.Letter ? name.Number : name.Number - 1)
        : null;

    private static bool IsCopy(RarVolume volume, RarVolume other) =>
        volume.Format == other.Format && volume.Length == other.Length && volume.Number == other.Number && volume.Files.Count == other.Files.Count
        && volume.Files.Zip(other.Files).All(pair => pair.First.Crc32 == pair.Second.Crc32 && pair.First.DataOffset == pair.Second.DataOffset
            && string.Equals(pair.First.Path, pair.Second.Path, StringComparison.Ordinal));

    private static bool IsAkin(RarVolume volume, RarVolume other) =>
        string.Equals(Stem(volume), Stem(other), StringComparison.Ordinal)
        || (volume.SplitBefore && other.SplitAfter && string.Equals(volume.Files[0].Path, other.Files[^1].Path, StringComparison.Ordinal));

    /// <summary>Volumes that could not be read: one set for each reason, so that a person reads one sentence and not a hundred.</summary>
    private static void Refused(IReadOnlyList<RarVolume> volumes, List<RarSet> sets)
    {
        foreach (var reason in volumes.Where(volume => volume.Refusal is not null).GroupBy(volume => volume.Refusal!.Reason))
        {
            var set = new RarSet { Refusal = reason.First().Refusal };
            set.Volumes.AddRange(reason);
            sets.Add(set);
        }
    }

    private static RarSet Of(List<RarVolume> volumes, bool byName)
    {
        var set = new RarSet { ByName = byName };
        set.Volumes.AddRange(volumes);
        return set;
    }
}
