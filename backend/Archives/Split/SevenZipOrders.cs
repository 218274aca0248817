using NzbDav.Archives.Volumes;

namespace NzbDav.Archives.Split;

/// <summary>
/// Orders the volumes of split 7z archives, which have no headers of their own: by names, numbers, counts and dates; if these prove
/// nothing, by guesses.
/// </summary>
internal static class SevenZipOrders
{
    /// <summary>Most sets whose volumes are posted alternating: as many as connections that somebody uploads with.</summary>
    private const int MostByTurns = 16;

    /// <summary>Most last volumes tried with a guessed order: the checksum of the archive's header shows which one is right.</summary>
    private const int MostGuesses = 8;

    /// <summary>
    /// Finds the volumes of a 7z archive from its first one, in order; missing ones are left out. If several orders are returned, they are
    /// guesses, the most likely first. An order is a guess while there are more files of that size than places, because these may belong to
    /// other sets.
    /// </summary>
    /// <param name="windows">All files.</param>
    /// <param name="first">The file that begins the archive, and the length of the whole archive according to it.</param>
    /// <param name="begun">All files that begin an archive, with its length; <paramref name="first"/> is among them.</param>
    /// <param name="free">Files without a known signature.</param>
    public static (IReadOnlyList<List<int>> Orders, bool Proven) Find(
        IReadOnlyList<VolumeWindow> windows, (int Index, long Length) first, IReadOnlyList<(int Index, long Length)> begun,
        IReadOnlyCollection<int> free)
    {
        var (size, places) = (windows[first.Index].Length, new VolumePlaces(windows[first.Index].Length, first.Length));
        if (first.Length <= size)
            return ([[first.Index]], true);
        if (VolumeName.Parse(windows[first.Index].Name) is { } name
            && VolumeSequences.Following(windows, name, free) is { Count: > 0 } named)
            return Named(windows, first, begun, named);

        // The names are meaningless, so go by size: all volumes have the same size, and the last one has the rest.
        var numbered = Counted(windows, first.Index, places, free, index => VolumeName.Parse(windows[index].Name)?.Number);
        if (numbered is not null && numbered.ToHashSet() is var taken
            && free.All(index => windows[index].Length != size || taken.Contains(index)))
            return ([numbered], true);
        var placed = Counted(windows, first.Index, places, free, index => windows[index].Place);
        if (placed is not null && !Overlaps(windows, first, begun))
            return ([placed], true);
        var fitting = free.Where(index => windows[index].Length == size || windows[index].Length == places.LastSize).ToList();
        if (fitting.Count < places.Count - 1 || !fitting.Exists(index => windows[index].Length == places.LastSize))
            return ([[first.Index, .. fitting.Take(places.Count - 2)]], true);

        // Volumes are posted one after the other, so dates order them if each has its own. Their position in the list does not.
        var lasts = fitting.Where(index => windows[index].Length == places.LastSize).OrderBy(Posted).ToList();
        var middle = fitting.Where(index => windows[index].Length == size && index != lasts[^1]).OrderBy(Posted).ToList();
        if (middle.Count == places.Count - 2 && (lasts.Count == 1 || places.LastSize == size)
            && (middle.Count <= 1 || AreDated(windows, middle)))
            return ([[first.Index, .. middle, lasts[^1]]], true);
        return ([.. new[] { numbered, placed }.OfType<List<int>>(), .. Guesses(windows, first, places, begun, fitting)], false);

        (DateTimeOffset? Date, int Index) Posted(int index) => (windows[index].Posted, index);
    }

    private static bool AreDated(IReadOnlyList<VolumeWindow> windows, List<int> volumes) =>
        volumes.TrueForAll(index => windows[index].Posted is not null)
            && volumes.DistinctBy(index => windows[index].Posted).Count() == volumes.Count;

    /// <summary>
    /// Orders the volumes that have the name of the first. If several different ones have one number, there are several sets of one name,
    /// and the order in which they were posted is a guess.
    /// </summary>
    private static (IReadOnlyList<List<int>> Orders, bool Proven) Named(
        IReadOnlyList<VolumeWindow> windows, (int Index, long Length) first, IReadOnlyList<(int Index, long Length)> begun, List<int> named)
    {
        var numbers = named.GroupBy(index => VolumeSequences.NumberOf(windows, index))
            .Select(group => (Number: group.Key, Volumes: VolumeSequences.Distinct(windows, group)))
            .ToList();
        if (numbers.TrueForAll(number => number.Volumes.Count == 1))
            return ([[first.Index, .. numbers.Select(number => number.Volumes[0])]], true);
        var places = new VolumePlaces(windows[first.Index].Length, first.Length);
        var twins = begun.Select(one => one.Index)
            .Where(index => VolumeName.Parse(windows[index].Name) == VolumeName.Parse(windows[first.Index].Name)).ToList();
        var start = VolumeSequences.NumberOf(windows, first.Index);
        var fitting = Enumerable.Range(1, places.Count - 1).Select(place =>
            numbers.Find(number => number.Number == start + place).Volumes?.FindAll(index => windows[index].Length == places.SizeOf(place))
                ?? []).ToList();
        if (fitting.Exists(volumes => volumes.Count == 0))
            return ([[first.Index, .. fitting.Where(volumes => volumes.Count > 0).Select(volumes => volumes[0])]], true);
        var turns = Enumerable.Range(0, Math.Max(1, twins.Count)).OrderBy(turn => turn != twins.IndexOf(first.Index));
        return ([.. turns.Select(turn =>
            (List<int>)[first.Index, .. fitting.Select(volumes => volumes[Math.Min(turn, volumes.Count - 1)])])], false);
    }

    /// <summary>The orders to try if nothing orders the volumes: as listed after the first, and alternating with the other sets.</summary>
    private static List<List<int>> Guesses(
        IReadOnlyList<VolumeWindow> windows, (int Index, long Length) first, VolumePlaces places,
        IReadOnlyList<(int Index, long Length)> begun, List<int> fitting)
    {
        var listed = fitting.OrderBy(index => index < first.Index).ThenBy(index => index).ToList();
        var guesses = new List<List<int>>();
        var lasts = places.LastSize == places.Size ? [-1]
            : listed.Where(index => windows[index].Length == places.LastSize).Take(MostGuesses);
        foreach (var last in lasts)
        {
            List<int> behind = [first.Index,
                .. listed.Where(index => windows[index].Length == places.Size).Take(last < 0 ? places.Count - 1 : places.Count - 2)];
            guesses.Add(last < 0 ? behind : [.. behind, last]);
        }

        var sets = begun.Where(one => windows[one.Index].Length == places.Size && one.Length > places.Size).ToList();
        if (sets.Count is > 1 and <= MostByTurns)
        {
            guesses.InsertRange(
                Math.Min(1, guesses.Count),
                [Dealt(windows, first.Index, sets, fitting), Dealt(windows, first.Index, [.. sets.AsEnumerable().Reverse()], fitting)]);
        }

        return guesses.FindAll(guess => guess.Count == places.Count);
    }

    /// <summary>Gives each set one volume in turn, in the order in which they are listed.</summary>
    private static List<int> Dealt(IReadOnlyList<VolumeWindow> windows, int first, List<(int Index, long Length)> sets, List<int> fitting)
    {
        var left = fitting.Order().ToList();
        var dealt = sets.ConvertAll(set =>
            (Places: new VolumePlaces(windows[set.Index].Length, set.Length), Volumes: (List<int>)[set.Index]));
        for (var hasDealt = true; hasDealt;)
        {
            hasDealt = false;
            foreach (var (places, volumes) in dealt.Where(set => set.Volumes.Count < set.Places.Count))
            {
                var next = left.FindIndex(index => windows[index].Length == places.SizeOf(volumes.Count));
                if (next < 0)
                    continue;
                volumes.Add(left[next]);
                left.RemoveAt(next);
                hasDealt = true;
            }
        }

        return dealt.Find(set => set.Volumes[0] == first).Volumes;
    }

    /// <summary>True if, by the poster's count, volumes of another set are between those of this one.</summary>
    private static bool Overlaps(IReadOnlyList<VolumeWindow> windows, (int Index, long Length) first,
        IReadOnlyList<(int Index, long Length)> begun)
    {
        var (start, end) = Run(first);
        return begun.Where(other => other.Index != first.Index)
            .Any(other => windows[other.Index].Place is null || (Run(other) is var run && run.Start < end && start < run.End));

        (long Start, long End) Run((int Index, long Length) one) =>
            (windows[one.Index].Place!.Value,
                windows[one.Index].Place!.Value + new VolumePlaces(windows[one.Index].Length, one.Length).Count);
    }

    /// <summary>
    /// Orders volumes by a number that each of them has. Null unless there is exactly one volume of the right size per number.
    /// </summary>
    private static List<int>? Counted(IReadOnlyList<VolumeWindow> windows, int first, VolumePlaces places, IReadOnlyCollection<int> free,
        Func<int, int?> number)
    {
        if (number(first) is not { } start || free.Count < places.Count - 1)
            return null;
        var volumes = new int[places.Count];
        Array.Fill(volumes, -1);
        volumes[0] = first;
        foreach (var index in free)
        {
            var place = (number(index) ?? int.MinValue) - (long)start;
            if (place < 1 || place >= places.Count || windows[index].Length != places.SizeOf((int)place))
                continue;
            if (volumes[place] >= 0)
                return null;
            volumes[place] = index;
        }

        return Array.IndexOf(volumes, -1) < 0 ? [.. volumes] : null;
    }
}

/// <summary>How a file of a known length is cut into volumes of one size.</summary>
/// <param name="Size">Bytes of each volume except the last.</param>
/// <param name="Length">Bytes of the file.</param>
internal readonly record struct VolumePlaces(long Size, long Length)
{
    public int Count => (int)Math.Min(int.MaxValue, (Length + Size - 1) / Size);

    /// <summary>Bytes of the last volume.</summary>
    public long LastSize => Length - ((Count - 1L) * Size);

    /// <summary>Bytes of the volume at a place, from 0.</summary>
    public long SizeOf(int place) => place == Count - 1 ? LastSize : Size;
}
