namespace NzbDav.FullNzbTester.Faults;

/// <summary>Result of one reading of a film by one or several players. Immutable.</summary>
internal sealed record FilmReading
{
    /// <summary>Megabytes per second over all players.</summary>
    public double Rate { get; init; }

    /// <summary>The 99th percentile of all reads, in milliseconds.</summary>
    public double P99 { get; init; }

    /// <summary>The longest read, in milliseconds.</summary>
    public double Longest { get; init; }

    public long Compared { get; init; }

    public long Wrong { get; init; }

    public int Cuts { get; init; }

    public int Hung { get; init; }

    /// <summary>Number of faults at both providers: BODY requests, refused connections and refused logins.</summary>
    public long Struck { get; init; }

    /// <summary>Unexpected ends of the server, and errors in its log.</summary>
    public int Restarts { get; init; }

    /// <summary>What went wrong, as text.</summary>
    public IReadOnlyList<string> Failures { get; init; } = [];
}
