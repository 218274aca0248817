using Microsoft.Extensions.Logging;

namespace NzbDav.Import;

public sealed partial class PostMender
{
    [LoggerMessage(240, LogLevel.Information, "{File} has an article that no provider has: its post is repaired from the recovery data.")]
    private static partial void LogBegins(ILogger logger, string file);

    [LoggerMessage(241, LogLevel.Information, "{File} was repaired.")]
    private static partial void LogMended(ILogger logger, string file);

    [LoggerMessage(242, LogLevel.Warning, "{File} could not be repaired: {Reason}")]
    private static partial void LogFailed(ILogger logger, string file, string reason);

    [LoggerMessage(244, LogLevel.Warning, "What came of the repair of {File} could not be stored: {Reason}")]
    private static partial void LogNotStored(ILogger logger, string file, string reason);

    [LoggerMessage(243, LogLevel.Error, "The repair of {File} met a fault of the program.")]
    private static partial void LogFault(ILogger logger, string file, Exception e);
}
