using System.Globalization;

namespace NzbDav.Api.QBittorrent.Preferences;

/// <summary>Converts the schedule of the alternative limits to and from qBittorrent's: one period, on one day, on working days, at the
/// weekend or every day.</summary>
internal static class PreferenceSchedule
{
    /// <summary>Indexed by qBittorrent's numbers: all days, Monday to Friday, Saturday and Sunday, then each day from Monday.</summary>
    private static readonly string[] Days = ["", "mon-fri", "sat-sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun"];

    /// <summary>Of several periods only the first is returned; without one, qBittorrent's defaults.</summary>
    public static Dictionary<string, object> Describe(IReadOnlyList<string> times)
    {
        var (days, from, to) = times.Count > 0 ? Read(times[0]) : (0, new TimeOnly(8, 0), new TimeOnly(20, 0));
        return new Dictionary<string, object>(StringComparer.Ordinal)
        {
            ["scheduler_enabled"] = times.Count > 0,
            ["schedule_from_hour"] = (long)from.Hour,
            ["schedule_from_min"] = (long)from.Minute,
            ["schedule_to_hour"] = (long)to.Hour,
            ["schedule_to_min"] = (long)to.Minute,
            ["scheduler_days"] = (long)days,
        };
    }

    /// <summary>The text of the setting; null: never.</summary>
    public static string? TextOf(PreferenceValues values)
    {
        if (!values.Flag("scheduler_enabled"))
            return null;
        var (from, to) = (TimeOf(values, "schedule_from"), TimeOf(values, "schedule_to"));
        var days = Days[Math.Clamp(values.Number("scheduler_days"), 0, Days.Length - 1)];
        var hours = from == to ? "00:00-24:00" : string.Create(CultureInfo.InvariantCulture, $"{from:HH:mm}-{to:HH:mm}");
        return days.Length == 0 ? hours : $"{days} {hours}";
    }

    private static TimeOnly TimeOf(PreferenceValues values, string name) =>
        new((int)Math.Clamp(values.Number(name + "_hour"), 0, 23), (int)Math.Clamp(values.Number(name + "_min"), 0, 59));

    private static (int Days, TimeOnly From, TimeOnly To) Read(string time)
    {
        var space = time.IndexOf(' ', StringComparison.Ordinal);
        var days = Math.Max(0, Array.IndexOf(Days, space < 0 ? "" : time[..space].ToLowerInvariant()));
        var hours = time[(space + 1)..].Trim().Split('-');
        return (days, ReadTime(hours[0]), ReadTime(hours[^1]));
    }

    /// <summary>24:00 becomes 00:00 of the next day.</summary>
    private static TimeOnly ReadTime(string text) =>
        TimeOnly.TryParseExact(text, "H:mm", CultureInfo.InvariantCulture, DateTimeStyles.None, out var time) ? time : TimeOnly.MinValue;
}
