using NzbDav.Content.Recording;

namespace NzbDav.FullNzbTester.Replay;

/// <summary>Figures of a recording's clients and providers. Times in seconds.</summary>
internal sealed record ReplayFigures
{
    public required int Requests { get; init; }

    public required long Bytes { get; init; }

    /// <summary>Waits of 50 ms and more after the first byte, shortest first.</summary>
    public required IReadOnlyList<double> Waits { get; init; }

    /// <summary>Times to the first byte, shortest first.</summary>
    public required IReadOnlyList<double> FirstBytes { get; init; }

    /// <summary>Bytes per second while the client did not set the pace; null if it always did.</summary>
    public required double? Rate { get; init; }

    /// <summary>Responses that were refused or broken off.</summary>
    public required int Broken { get; init; }

    /// <summary>By the provider's number: articles requested, missing, and failed for other reasons.</summary>
    public required IReadOnlyDictionary<int, (int Asked, int Missing, int Faults)> Providers { get; init; }

    /// <param name="recording">The recording.</param>
    /// <param name="plan">Selects the requests that count.</param>
    public static ReplayFigures Of(Recording recording, ReplayPlan plan)
    {
        var requests = plan.Requests;
        var free = requests.SelectMany(request => request.Sent)
            .Where(line => !(line.Stalled >= line.Ms * 0.2 && line.Stalled > (line.Waited ?? 0))).ToArray();
        var ms = free.Sum(line => line.Ms!.Value);
        return new ReplayFigures
        {
            Requests = requests.Count,
            Bytes = requests.Sum(request => request.Bytes),
            Waits = [.. requests.SelectMany(request => request.Waits).Select(line => line.Ms!.Value / 1_000).Order()],
            FirstBytes = [
                .. requests.Where(request => request.FirstByte is not null).Select(request => request.FirstByte!.Value / 1_000).Order()],
            Rate = ms > 0 ? free.Sum(line => line.Bytes!.Value) * 1_000 / ms : null,
            Broken = requests.Count(request => request.Outcome is ResponseEnd.Refused or ResponseEnd.Broken),
            Providers = recording.Articles.Where(line => line.Kind == LineKinds.Article).GroupBy(line => line.Provider!.Value).ToDictionary(
                group => group.Key,
                group => (group.Count(), Count(group, ArticleResult.Missing),
                    group.Count() - Count(group, ArticleResult.Missing) - Count(group, ArticleResult.Found))),
        };
    }

    /// <summary>A percentile of sorted values; null for no values.</summary>
    public static double? Percentile(IReadOnlyList<double> sorted, double share) =>
        sorted.Count == 0 ? null : sorted[Math.Min(sorted.Count - 1, (int)(sorted.Count * share))];

    private static int Count(IEnumerable<RecordedLine> lines, ArticleResult outcome) =>
        lines.Count(line => string.Equals(line.Outcome, Enum.GetName(outcome), StringComparison.OrdinalIgnoreCase));
}
