using System.Net;
using Microsoft.Extensions.Logging;

namespace NzbDav.WebDav.Access;

public sealed partial class WebDavAuthentication
{
    [LoggerMessage(120, LogLevel.Warning, "wrong WebDAV credentials from {Address}")]
    private static partial void LogDenied(ILogger logger, IPAddress? address);

    [LoggerMessage(121, LogLevel.Warning, "too many wrong passwords: {Refused} attempts were not looked at, the last for WebDAV from {Address}")]
    private static partial void LogThrottled(ILogger logger, long refused, IPAddress? address);
}
