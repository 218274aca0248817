using System.Globalization;

namespace NzbDav.Content;

/// <summary>Formats a duration for a message.</summary>
public static class DurationText
{
    /// <summary>
    /// Formats in hours, minutes or seconds: the largest unit of which there is at least one, with at most one decimal: <c>1.5 hours</c>,
    /// <c>1 minute</c>, <c>20 seconds</c>.
    /// </summary>
    /// <param name="time">Not negative.</param>
    public static string Of(TimeSpan time) => time.TotalHours >= 1
        ? Text(time.TotalHours, "hour") : time.TotalMinutes >= 1 ? Text(time.TotalMinutes, "minute") : Text(time.TotalSeconds, "second");

    private static string Text(double count, string unit)
    {
        var number = count.ToString("0.#", CultureInfo.InvariantCulture);
        return number == "1" ? $"1 {unit}" : $"{number} {unit}s";
    }
}
