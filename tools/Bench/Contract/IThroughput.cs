namespace NzbDav.Bench.Contract;

/// <summary>A benchmark class whose methods all handle the same number of bytes at each call.</summary>
public interface IThroughput
{
    /// <summary>Bytes that one call handles, of the kind the question is about. Asked once the parameters are set.</summary>
    long Bytes { get; }
}
