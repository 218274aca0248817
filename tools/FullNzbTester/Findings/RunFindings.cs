using System.Diagnostics;

namespace NzbDav.FullNzbTester.Findings;

/// <summary>Everything that a run measured, and everything that went wrong. Thread-safe.</summary>
internal sealed class RunFindings
{
    /// <summary>After this many failures of a stage, further ones are only counted.</summary>
    private const int MostPerStage = 3;

    private readonly Lock _gate = new();
    private readonly List<FigureRow> _rows = [];
    private readonly List<StageFailure> _failures = [];
    private readonly Dictionary<string, int> _perStage = new(StringComparer.Ordinal);
    private long _compared;
    private long _wrong;
    private long _brokenOff;

    public IReadOnlyList<FigureRow> Rows => Locked(() => _rows.ToArray());

    /// <summary>What went wrong, in order. Further failures of a stage are one line with their count.</summary>
    public IReadOnlyList<StageFailure> Failures => Locked(() => _failures.Concat(
        _perStage.Where(entry => entry.Value > MostPerStage)
            .Select(entry => new StageFailure(entry.Key, $"and {entry.Value - MostPerStage:N0} more of this kind."))).ToArray());

    public bool Passed => Locked(() => _failures.Count == 0);

    /// <summary>Bytes compared with the expected ones.</summary>
    public long BytesCompared => Interlocked.Read(ref _compared);

    public long WrongBytes => Interlocked.Read(ref _wrong);

    /// <summary>
    /// Reads that the product cut, because bytes already handed out turned out damaged, and that succeeded when repeated.
    /// </summary>
    public long BrokenOff => Interlocked.Read(ref _brokenOff);

    /// <summary>A figure's value; null when it was not measured.</summary>
    public double? this[string name] =>
        Locked(() => _rows.SelectMany(row => row.Figures).LastOrDefault(figure => figure.Name == name)?.Value);

    public void Add(FigureRow row)
    {
        Debug.Assert(row.Label.Length <= FigureRow.LabelWidth, $"'{row.Label}' does not fit into the table");
        Locked(() => _rows.Add(row));
    }

    public void Fail(string stage, string message)
    {
        lock (_gate)
        {
            var count = _perStage[stage] = _perStage.GetValueOrDefault(stage) + 1;
            if (count <= MostPerStage)
                _failures.Add(new StageFailure(stage, message));
        }
    }

    /// <summary>Failures of a stage so far.</summary>
    public int FailuresOf(string stage) => Locked(() => _perStage.GetValueOrDefault(stage));

    /// <summary>Counts compared bytes.</summary>
    public void Compared(long bytes, long wrong)
    {
        Interlocked.Add(ref _compared, bytes);
        Interlocked.Add(ref _wrong, wrong);
    }

    public void ReadAgain() => Interlocked.Increment(ref _brokenOff);

    public FindingsReport ToReport() => new(Rows, Failures, BytesCompared, WrongBytes, BrokenOff);

    /// <summary>Adds the findings of another process.</summary>
    public void Merge(FindingsReport report)
    {
        lock (_gate)
        {
            _rows.AddRange(report.Rows);
            _failures.AddRange(report.Failures);
        }

        Compared(report.BytesCompared, report.WrongBytes);
        Interlocked.Add(ref _brokenOff, report.BrokenOff);
    }

    private T Locked<T>(Func<T> read)
    {
        lock (_gate)
            return read();
    }

    private void Locked(Action write)
    {
        lock (_gate)
            write();
    }
}

/// <summary>Findings as a child process sends them to its parent.</summary>
internal sealed record FindingsReport(
    IReadOnlyList<FigureRow> Rows, IReadOnlyList<StageFailure> Failures, long BytesCompared, long WrongBytes, long BrokenOff);

/// <summary>A failure of a stage.</summary>
/// <param name="Stage">The stage, such as <c>sequential (WebDAV)</c>.</param>
/// <param name="Message">What, where, and what was expected.</param>
internal sealed record StageFailure(string Stage, string Message)
{
    public override string ToString() => $"{Stage}: {Message}";
}
