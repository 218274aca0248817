namespace NzbDav.Content.Recording;

/// <summary>The input is not a recording, or is damaged.</summary>
/// <param name="line">Line number, from 1.</param>
/// <param name="reason">What is wrong, as text.</param>
public sealed class RecordingException(long line, string reason) : Exception($"line {line}: {reason}")
{
    /// <summary>Line number, from 1.</summary>
    public long Line { get; } = line;
}
