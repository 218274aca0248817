namespace NzbDav.Content.Recording;

/// <summary>What was read is no recording, or a damaged one.</summary>
/// <param name="line">Where, from 1.</param>
/// <param name="reason">What is wrong, in words.</param>
public sealed class RecordingException(long line, string reason) : Exception($"line {line}: {reason}")
{
    /// <summary>Where, from 1.</summary>
    public long Line { get; } = line;
}
