namespace NzbDav.Bench.Contract;

/// <summary>A benchmark class whose methods all process the same number of bytes per call.</summary>
public interface IThroughput
{
    /// <summary>Bytes that one call processes, of the kind that the benchmark's question is about. Read after the parameters are set.</summary>
    long Bytes { get; }
}
