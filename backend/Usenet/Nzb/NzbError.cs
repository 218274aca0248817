namespace NzbDav.Usenet.Nzb;

/// <summary>Why and where an NZB cannot be used.</summary>
/// <param name="Kind">The kind, so that callers need not read the message.</param>
/// <param name="Line">From 1.</param>
/// <param name="Column">In characters, from 1.</param>
/// <param name="Message">A sentence for the person who added the NZB.</param>
public sealed record NzbError(NzbErrorKind Kind, int Line, int Column, string Message)
{
    /// <inheritdoc/>
    public override string ToString() => $"Line {Line}, column {Column}: {Message}";
}
