using Microsoft.Extensions.Logging;
using NzbDav.Content;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Files;

public sealed partial class FileSender
{
    [LoggerMessage(100, LogLevel.Warning, "{Path}: no first byte, {Fault}: {Reason}")]
    private static partial void LogNoFirstByte(ILogger logger, StorePath path, ContentFault fault, string? reason);

    [LoggerMessage(150, LogLevel.Warning, "{Path}: connection ended {Left} bytes before the end of {Start}-{End}, {Fault}: {Reason}")]
    private static partial void LogBroken(
        ILogger logger, StorePath path, long left, long start, long end, ContentFault fault, string reason);

    [LoggerMessage(151, LogLevel.Debug, "{Path}: client left")]
    private static partial void LogClientGone(ILogger logger, StorePath path);

    [LoggerMessage(152, LogLevel.Warning, "{Path}: waited {Seconds:0.0} s for article {Article}: {Story}")]
    private static partial void LogWaited(ILogger logger, StorePath path, double seconds, int article, string story);

    [LoggerMessage(153, LogLevel.Warning, "{Path}: waited {Seconds:0.0} s for bytes")]
    private static partial void LogWaitedForBytes(ILogger logger, StorePath path, double seconds);

    [LoggerMessage(154, LogLevel.Warning, "{Path}: waited {Seconds:0.0} s for bytes: {Story}")]
    private static partial void LogWaitedForPiece(ILogger logger, StorePath path, double seconds, string story);

    /// <summary>Logs a wait that a viewer may have noticed.</summary>
    private void ReportWait(StorePath path, SendTrace trace, StreamResponse? stream, TimeSpan waited, ReaderWait? wait)
    {
        stream?.Stream.Note(waited, wait);
        trace.Waited(waited, wait);
        if (wait is { Trace: { } pieceTrace, Segment: < 0 })
            LogWaitedForPiece(_logger, path, waited.TotalSeconds, pieceTrace);
        else if (wait is { Trace: { } story })
            LogWaited(_logger, path, waited.TotalSeconds, wait.Segment + 1, story);
        else
            LogWaitedForBytes(_logger, path, waited.TotalSeconds);
    }
}
