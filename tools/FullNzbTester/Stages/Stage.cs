using NzbDav.FullNzbTester.Findings;

namespace NzbDav.FullNzbTester.Stages;

/// <summary>One step of a run: collects its measurements and failures under its name. Thread-safe.</summary>
internal sealed class Stage(string name, string section, RunFindings findings, Action<double> progress)
{
    /// <summary>Such as <c>seek (WebDAV)</c>; the prefix of its failures.</summary>
    public string Name { get; } = $"{name} ({section})";

    /// <summary>True once it has failed.</summary>
    public bool HasFailed => findings.FailuresOf(Name) > 0;

    /// <summary>How much of it is done, 0 to 1.</summary>
    public void Progress(double share) => progress(share);

    public void Fail(string message) => findings.Fail(Name, message);

    public void Add(string label, params IReadOnlyList<Figure> figures) => findings.Add(new FigureRow(section, label, figures));

    /// <summary>Adds rows with the durations of reads.</summary>
    /// <param name="level">Prefix of each figure's name.</param>
    /// <param name="times">The reads.</param>
    public void AddTimes(string level, ReadTimes times)
    {
        Add("read: mean / median, ms", new Figure($"{level}_read_mean_ms", times.Mean),
            new Figure($"{level}_read_median_ms", times.Quantile(0.5)));
        Add(
            "read: p95 / p99 / slowest, ms",
            new Figure($"{level}_read_p95_ms", times.Quantile(0.95)), new Figure($"{level}_read_p99_ms", times.Quantile(0.99)),
            new Figure($"{level}_read_slowest_ms", times.Slowest));
        Add($"reads longer than {ReadTimes.StallMs:0} ms", new Figure($"{level}_stalls", times.Stalls));
    }

    public void Say(string label, string note, params IReadOnlyList<Figure> figures) =>
        findings.Add(new FigureRow(section, label, figures, note));

    /// <summary>Adds a row to the section that the row names.</summary>
    public void Add(FigureRow row) => findings.Add(row);

    public void Compared(long bytes, long wrong) => findings.Compared(bytes, wrong);

    /// <summary>Counts a read that was cut and is repeated.</summary>
    public void ReadAgain() => findings.ReadAgain();

    /// <summary>Fails if something took too long.</summary>
    /// <param name="what">Such as <c>first read at byte 1,000</c>.</param>
    /// <param name="ms">How long it took.</param>
    /// <param name="limitMs">How long it may take.</param>
    public void Limit(string what, double ms, double limitMs)
    {
        if (ms > limitMs)
            Fail($"{what} took {ms:N0} ms, limit {limitMs:N0} ms.");
    }
}
