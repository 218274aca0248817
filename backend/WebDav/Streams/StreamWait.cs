using NzbDav.Content;

namespace NzbDav.WebDav.Streams;

/// <summary>A wait of <see cref="ReaderWait.Least"/> or more that a client had.</summary>
/// <param name="At">When it ended.</param>
/// <param name="Waited">How long.</param>
/// <param name="Wait">What the reader tells of it; null: nothing.</param>
public sealed record StreamWait(DateTimeOffset At, TimeSpan Waited, ReaderWait? Wait);
