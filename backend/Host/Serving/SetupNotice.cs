using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Access.Sessions;
using NzbDav.Host.Logging;

namespace NzbDav.Host.Serving;

/// <summary>Announces how to create the first user: in the log, or only on the console if the log level hides it. Not for a demo that is only open to this machine.</summary>
internal static partial class SetupNotice
{
    public static async Task WriteAsync(IServiceProvider services, IEnumerable<string> urls, CancellationToken cancellationToken)
    {
        if (services.GetRequiredService<ServerFacts>().IsOpen || await services.GetRequiredService<UserAccounts>().AnyAsync(cancellationToken) || urls.FirstOrDefault() is not { } url)
            return;
        var page = $"{Announcement.Readable(url)}{services.GetRequiredService<LiveAccess>().Current.UrlBase}/setup";
        var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger(RedactingFormatter.SetupCategory);
        var token = services.GetRequiredService<SetupToken>().Value;
        if (logger.IsEnabled(LogLevel.Information))
            LogSetup(logger, page, token);
        else
            await Console.Out.WriteLineAsync($"There is no user who can sign in yet. Create the first user at {page}?token={token}");
    }

    [LoggerMessage(530, LogLevel.Information, "There is no user who can sign in yet. Create the first user at {Page}?token={Token}")]
    private static partial void LogSetup(ILogger logger, string page, string token);
}
