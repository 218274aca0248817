using NzbDav.Access;

namespace NzbDav.Host.Serving;

/// <summary>Tells how to make the first user while there is none: in the log, or on the console alone where the log is too quiet for it. A demo that is open to this machine needs none.</summary>
internal sealed partial class SetupNotice
{
    public static async Task WriteAsync(IServiceProvider services, IEnumerable<string> urls, CancellationToken cancellationToken)
    {
        if (services.GetRequiredService<ServerFacts>().IsOpen || await services.GetRequiredService<UserAccounts>().AnyAsync(cancellationToken) || urls.FirstOrDefault() is not { } url)
            return;
        var page = $"{Announcement.Readable(url)}{services.GetRequiredService<LiveAccess>().Current.UrlBase}/setup";
        var logger = services.GetRequiredService<ILogger<SetupNotice>>();
        var token = services.GetRequiredService<SetupToken>().Value;
        if (logger.IsEnabled(LogLevel.Information))
            LogSetup(logger, page, token);
        else
            await Console.Out.WriteLineAsync($"nobody can sign in to the interface yet; make the first user at {page}?token={token}");
    }

    [LoggerMessage(530, LogLevel.Information, "nobody can sign in to the interface yet; make the first user at {Page}?token={Token}")]
    private static partial void LogSetup(ILogger logger, string page, string token);
}
