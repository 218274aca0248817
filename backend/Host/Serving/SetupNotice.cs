using NzbDav.Access;

namespace NzbDav.Host.Serving;

/// <summary>Tells in the log how to make the first user, while there is none.</summary>
internal sealed partial class SetupNotice
{
    public static async Task WriteAsync(IServiceProvider services, IEnumerable<string> urls, CancellationToken cancellationToken)
    {
        if (await services.GetRequiredService<UserAccounts>().AnyAsync(cancellationToken) || urls.FirstOrDefault() is not { } url)
            return;
        var page = $"{Announcement.Readable(url)}{services.GetRequiredService<LiveAccess>().Current.UrlBase}/setup";
        LogSetup(services.GetRequiredService<ILogger<SetupNotice>>(), page, services.GetRequiredService<SetupToken>().Value);
    }

    [LoggerMessage(530, LogLevel.Information, "nobody can sign in to the interface yet; make the first user at {Page}?token={Token}")]
    private static partial void LogSetup(ILogger logger, string page, string token);
}
