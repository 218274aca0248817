using System.Globalization;
using NzbDav.Catalog.Jobs;

namespace NzbDav.Api.Sab.Calls;

/// <summary>Numbers in SABnzbd's formats: most are text, and clients parse that text strictly.</summary>
internal static class SabText
{
    private const double MiB = 1 << 20;

    /// <summary>MiB with two decimals: <c>1296.02</c>.</summary>
    public static string Megabytes(long bytes) => (bytes / MiB).ToString("F2", CultureInfo.InvariantCulture);

    /// <summary>GiB with two decimals.</summary>
    public static string Gigabytes(long bytes) => (bytes / MiB / 1024).ToString("F2", CultureInfo.InvariantCulture);

    /// <summary>With a unit: <c>1.2 GB</c>.</summary>
    public static string Size(long bytes) => bytes < 1024 ? $"{bytes} B" : Scaled(bytes, " ") + "B";

    /// <summary>
    /// Like <see cref="Size"/> without the B: <c>1.3 M</c>; <c>0</c> for nothing. Dashboards split the text at the blank.
    /// </summary>
    public static string Speed(double perSecond) => perSecond < 1 ? "0" : Scaled(perSecond, " ");

    /// <summary>KiB with two decimals.</summary>
    public static string Kilobytes(double bytes) => (bytes / 1024).ToString("F2", CultureInfo.InvariantCulture);

    /// <summary><c>H:MM:SS</c>, from one day on <c>D:HH:MM:SS</c>. The *arrs fail on anything else.</summary>
    public static string TimeLeft(TimeSpan time) => time.TotalDays >= 1
        ? string.Create(CultureInfo.InvariantCulture, $"{(int)time.TotalDays}:{time.Hours:00}:{time.Minutes:00}:{time.Seconds:00}")
        : string.Create(CultureInfo.InvariantCulture, $"{time.Hours}:{time.Minutes:00}:{time.Seconds:00}");

    /// <summary>An age in one unit: <c>12d</c>; <c>-</c> if unknown.</summary>
    public static string Age(TimeSpan age) => age switch
    {
        { Ticks: < 0 } => "-",
        { TotalDays: >= 1 } => string.Create(CultureInfo.InvariantCulture, $"{(int)age.TotalDays}d"),
        { TotalHours: >= 1 } => string.Create(CultureInfo.InvariantCulture, $"{(int)age.TotalHours}h"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{(int)age.TotalMinutes}m"),
    };

    public static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);

    public static string Priority(int priority) => priority switch
    {
        >= 3 => "Repair",
        2 => "Force",
        1 => "High",
        0 => "Normal",
        _ => "Low",
    };

    private static string Scaled(double value, string blank)
    {
        var unit = 0;
        while (value >= 1024 && unit < 4)
        {
            value /= 1024;
            unit++;
        }

        return value.ToString("F1", CultureInfo.InvariantCulture) + blank + " KMGT"[unit].ToString().Trim();
    }
}

/// <summary>SABnzbd's numbers: -100 default, -4 stop, -3 duplicate, -2 paused, -1 low, 0 normal, 1 high, 2 force, 3 repair.</summary>
internal static class SabPriority
{
    /// <summary>The queue priority for a number of SABnzbd's, and whether the job is paused.</summary>
    public static (int Priority, bool Paused) Of(int number) => number switch
    {
        -100 => (JobPriority.Normal, false),
        <= -2 => (JobPriority.Normal, true),
        _ => (Math.Min(number, 3), false),
    };
}
