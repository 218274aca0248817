namespace NzbDav.Library.Health;

/// <summary>Which articles of a post one check asks for. Pure.</summary>
/// <param name="Articles">Their numbers, ascending.</param>
/// <param name="Place">Where the sweep goes on the next time.</param>
public sealed record CheckPlan(IReadOnlyList<int> Articles, int Place)
{
    /// <summary>Half of the smallest check is spread over the post, at other places each time; the rest goes on where the last check ended, so that checks come past every article.</summary>
    /// <param name="total">Articles of the post.</param>
    /// <param name="most">Articles to ask for.</param>
    /// <param name="place">Where the sweep goes on.</param>
    /// <param name="checks">Checks so far.</param>
    public static CheckPlan Make(int total, int most, int place, int checks)
    {
        if (total <= most)
            return new CheckPlan([.. Enumerable.Range(0, total)], 0);
        var chosen = new SortedSet<int>();
        var spread = Math.Min(most, CheckSchedule.LeastArticles / 2);

        // The golden ratio spreads any number of offsets evenly.
        var offset = (checks * 0.6180339887498949) % 1;
        for (var i = 0; i < spread; i++)
            chosen.Add((int)((i + offset) * total / spread) % total);
        place %= total;
        var sweep = most - spread;
        for (var i = 0; i < sweep; i++)
            chosen.Add((place + i) % total);
        return new CheckPlan([.. chosen], (place + sweep) % total);
    }
}
