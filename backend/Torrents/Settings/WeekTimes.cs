using System.Globalization;

namespace NzbDav.Torrents.Settings;

/// <summary>
/// Times of a week, such as <c>mon-fri 08:00-18:00</c>: days (omitted = every day), and hours on each of them. Hours that end before they
/// begin continue into the next day. Immutable.
/// </summary>
public sealed class WeekTimes : IEquatable<WeekTimes>
{
    private const int Day = 24 * 60;
    private const int Week = 7 * Day;

    private static readonly string[] Days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

    /// <summary>Start and length of each period, in minutes of the week from Monday 00:00.</summary>
    private readonly (int Start, int Length)[] _stretches;

    private WeekTimes((int Start, int Length)[] stretches) => _stretches = stretches;

    /// <summary>No times.</summary>
    public static WeekTimes None { get; } = new([]);

    /// <summary>True if there are no times.</summary>
    public bool IsEmpty => _stretches.Length == 0;

    /// <summary>Parses any number of texts; null if one of them is malformed.</summary>
    /// <param name="texts">Such as <c>22:00-06:00</c>, <c>sat-sun 00:00-24:00</c>.</param>
    public static WeekTimes? Parse(IEnumerable<string> texts)
    {
        ArgumentNullException.ThrowIfNull(texts);
        var stretches = new List<(int, int)>();
        foreach (var text in texts)
        {
            if (!TryRead(text.Trim().ToLowerInvariant(), stretches))
                return null;
        }

        return stretches.Count == 0 ? None : new WeekTimes([.. stretches]);
    }

    /// <summary>True if a moment is within these times.</summary>
    /// <param name="local">The local time.</param>
    public bool Contains(DateTime local)
    {
        var minute = ((((int)local.DayOfWeek + 6) % 7) * Day) + (local.Hour * 60) + local.Minute;
        return Array.Exists(_stretches, stretch => (minute - stretch.Start + Week) % Week < stretch.Length);
    }

    /// <inheritdoc/>
    public bool Equals(WeekTimes? other) => other is not null && _stretches.AsSpan().SequenceEqual(other._stretches);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as WeekTimes);

    /// <inheritdoc/>
    public override int GetHashCode() => _stretches.Length;

    private static bool TryRead(string text, List<(int, int)> stretches)
    {
        var space = text.IndexOf(' ', StringComparison.Ordinal);
        var (first, last) = (0, 6);
        if (space >= 0 && !TryReadDays(text[..space], out first, out last))
            return false;
        var hours = text[(space + 1)..].Trim().Split('-');
        if (hours.Length != 2 || !TryReadTime(hours[0], out var from) || !TryReadTime(hours[1], out var to) || from == to || from == Day)
            return false;
        for (var day = first; day != last + 1; day++)
            stretches.Add(((day % 7 * Day) + from, to > from ? to - from : to - from + Day));
        return true;
    }

    private static bool TryReadDays(string text, out int first, out int last)
    {
        var days = text.Split('-');
        first = Array.IndexOf(Days, days[0]);
        last = Array.IndexOf(Days, days[^1]);
        if (first < 0 || last < 0 || days.Length > 2)
            return false;

        // The days wrap around the week's end, as from Friday to Monday.
        if (last < first)
            last += 7;
        return true;
    }

    /// <summary>Minutes from midnight; 24:00 is allowed.</summary>
    private static bool TryReadTime(string text, out int minutes)
    {
        minutes = Day;
        if (text == "24:00")
            return true;
        if (!TimeOnly.TryParseExact(text, "H:mm", CultureInfo.InvariantCulture, DateTimeStyles.None, out var time))
            return false;
        minutes = (time.Hour * 60) + time.Minute;
        return true;
    }
}
