using System.Globalization;

namespace NzbDav.Catalog.Jobs;

/// <summary>How long one step of an import took.</summary>
/// <param name="Step">Its name, a lower-case word.</param>
/// <param name="Duration">To the microsecond.</param>
public readonly record struct StepTiming(string Step, TimeSpan Duration)
{
    /// <summary>As stored: <c>parse:1200,probe:35000</c>, in microseconds.</summary>
    internal static string? Format(IReadOnlyList<StepTiming> timings) => timings.Count == 0
        ? null
        : string.Join(',', timings.Select(timing => string.Create(CultureInfo.InvariantCulture, $"{timing.Step}:{timing.Duration.Ticks / TimeSpan.TicksPerMicrosecond}")));

    internal static IReadOnlyList<StepTiming> Parse(string? stored)
    {
        if (string.IsNullOrEmpty(stored))
            return [];
        var timings = new List<StepTiming>();
        foreach (var one in stored.Split(','))
        {
            var colon = one.IndexOf(':', StringComparison.Ordinal);
            if (colon > 0 && long.TryParse(one.AsSpan(colon + 1), NumberStyles.None, CultureInfo.InvariantCulture, out var microseconds) && microseconds <= TimeSpan.MaxValue.Ticks / 10)
                timings.Add(new StepTiming(one[..colon], TimeSpan.FromTicks(microseconds * TimeSpan.TicksPerMicrosecond)));
        }

        return timings;
    }
}
