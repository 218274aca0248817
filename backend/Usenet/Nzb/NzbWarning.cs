namespace NzbDav.Usenet.Nzb;

/// <summary>Something odd in an NZB that can still be used.</summary>
/// <param name="Line">From 1.</param>
/// <param name="Column">In characters, from 1.</param>
/// <param name="Message">A sentence for the person who added the NZB.</param>
public readonly record struct NzbWarning(int Line, int Column, string Message)
{
    /// <inheritdoc/>
    public override string ToString() => $"Line {Line}, column {Column}: {Message}";
}
