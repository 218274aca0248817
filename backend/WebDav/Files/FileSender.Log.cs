using Microsoft.Extensions.Logging;
using NzbDav.Content;

namespace NzbDav.WebDav;

public sealed partial class FileSender
{
    [LoggerMessage(100, LogLevel.Warning, "{Path}: no first byte, {Fault}: {Reason}")]
    private static partial void LogNoFirstByte(ILogger logger, StorePath path, ContentFault fault, string? reason);

    [LoggerMessage(101, LogLevel.Warning, "{Path}: connection ended {Left} bytes before the end of {Start}-{End}, {Fault}: {Reason}")]
    private static partial void LogBroken(ILogger logger, StorePath path, long left, long start, long end, ContentFault fault, string reason);

    [LoggerMessage(102, LogLevel.Debug, "{Path}: client left")]
    private static partial void LogClientGone(ILogger logger, StorePath path);
}
