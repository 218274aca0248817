using Microsoft.Extensions.Logging;

namespace NzbDav.Library.Pins;

/// <summary>What is logged of pins.</summary>
public sealed partial class PinStore
{
    [LoggerMessage(310, LogLevel.Warning, "{Path} is damaged: what it holds is read from the providers again.")]
    private static partial void LogDamaged(ILogger logger, string path);

    [LoggerMessage(311, LogLevel.Warning, "{Path} cannot be read ({Reason}): what it holds is read from the providers again.")]
    private static partial void LogUnreadable(ILogger logger, string path, string reason);

    [LoggerMessage(312, LogLevel.Warning, "{Path} cannot be removed: {Reason}")]
    private static partial void LogNotRemoved(ILogger logger, string path, string reason);
}
