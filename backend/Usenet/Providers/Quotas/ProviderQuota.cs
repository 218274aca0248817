namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>An account's quota and its period. Immutable.</summary>
/// <param name="Bytes">Bytes received from the network per period, above 0.</param>
/// <param name="Period">When it starts over.</param>
/// <param name="ResetDay">For a week 1 (Monday) … 7; for a month 1 … 31, or its last day if it is shorter. Otherwise ignored.</param>
public sealed record ProviderQuota(long Bytes, QuotaPeriod Period, int ResetDay)
{
    /// <summary>
    /// When the period that contains <paramref name="now"/> started, at a midnight of <paramref name="zone"/>; the earliest date for a
    /// quota that never starts over.
    /// </summary>
    public DateTimeOffset StartOf(DateTimeOffset now, TimeZoneInfo zone)
    {
        ArgumentNullException.ThrowIfNull(zone);
        return Period == QuotaPeriod.Never ? DateTimeOffset.MinValue : Midnight(FirstDay(TimeZoneInfo.ConvertTime(now, zone).Date), zone);
    }

    /// <summary>When the quota next starts over after <paramref name="now"/>; null: never.</summary>
    public DateTimeOffset? EndOf(DateTimeOffset now, TimeZoneInfo zone)
    {
        ArgumentNullException.ThrowIfNull(zone);
        if (Period == QuotaPeriod.Never)
            return null;
        var first = FirstDay(TimeZoneInfo.ConvertTime(now, zone).Date);
        var next = Period switch
        {
            QuotaPeriod.Day => first.AddDays(1),
            QuotaPeriod.Week => first.AddDays(7),
            _ => DayOfMonth(new DateTime(first.Year, first.Month, 1, 0, 0, 0, DateTimeKind.Unspecified).AddMonths(1)),
        };
        return Midnight(next, zone);
    }

    private DateTime FirstDay(DateTime today)
    {
        switch (Period)
        {
            case QuotaPeriod.Day:
                return today;
            case QuotaPeriod.Week:
                var weekday = today.DayOfWeek == DayOfWeek.Sunday ? 7 : (int)today.DayOfWeek;
                return today.AddDays(-((weekday - ResetDay + 7) % 7));
            default:
                return DayOfMonth(today) is var day && day <= today
                    ? day : DayOfMonth(new DateTime(today.Year, today.Month, 1, 0, 0, 0, DateTimeKind.Unspecified).AddDays(-1));
        }
    }

    private DateTime DayOfMonth(DateTime month) =>
        new(month.Year, month.Month, Math.Min(ResetDay, DateTime.DaysInMonth(month.Year, month.Month)), 0, 0, 0, DateTimeKind.Unspecified);

    private static DateTimeOffset Midnight(DateTime day, TimeZoneInfo zone) =>
        new(DateTime.SpecifyKind(day, DateTimeKind.Unspecified), zone.GetUtcOffset(DateTime.SpecifyKind(day, DateTimeKind.Unspecified)));
}

/// <summary>When an account's quota starts over.</summary>
public enum QuotaPeriod
{
    /// <summary>Never: a block account.</summary>
    Never,

    /// <summary>At midnight.</summary>
    Day,

    /// <summary>At midnight of a day of the week.</summary>
    Week,

    /// <summary>At midnight of a day of the month.</summary>
    Month,
}
