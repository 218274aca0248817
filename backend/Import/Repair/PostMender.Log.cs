using Microsoft.Extensions.Logging;

namespace NzbDav.Import.Repair;

public sealed partial class PostMender
{
    [LoggerMessage(240, LogLevel.Information, "{File} has an article that no provider has: its post is being repaired from the recovery data.")]
    private static partial void LogBegins(ILogger logger, string file);

    [LoggerMessage(241, LogLevel.Information, "{File} was repaired.")]
    private static partial void LogMended(ILogger logger, string file);

    [LoggerMessage(242, LogLevel.Warning, "{File} could not be repaired: {Reason}")]
    private static partial void LogFailed(ILogger logger, string file, string reason);

    [LoggerMessage(243, LogLevel.Error, "An unexpected error ended the repair of {File}.")]
    private static partial void LogFault(ILogger logger, string file, Exception e);
}
