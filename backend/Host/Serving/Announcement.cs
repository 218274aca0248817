using NzbDav.Access.Accounts;
using NzbDav.Access.Options;
using NzbDav.Access.Sessions;
using NzbDav.Host.Logging;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Serving;

/// <summary>The console output when the server is ready.</summary>
internal static class Announcement
{
    public static void Write(TextWriter output, NzbDavServer server, NzbDavSettings settings, string configFolder, bool demo)
    {
        foreach (var url in server.Urls)
        {
            output.WriteLine($"Open {Readable(url)}{settings.Access.UrlBase}/ in a browser.");
            output.WriteLine($"NzbDav serves WebDAV at {Readable(url)}{settings.Access.UrlBase}/dav/");
        }

        if (settings.Api.ClientKey is null && !demo)
            output.WriteLine(
                $"Sonarr, Radarr and others: add a SABnzbd client with this host and port; its API key is in " +
                $"{Path.Combine(configFolder, "keys", "client")}");
        if (!settings.HasWebDavCredentials && !demo)
            output.WriteLine(
                "WebDAV refuses all requests until it has a user and a password: set them in the page, or with NzbDav__WebDav__Username " +
                "and NzbDav__WebDav__Password.");
        if (settings.Providers.Count == 0)
            output.WriteLine(
                "No Usenet provider is configured yet: add one in the page, or set NzbDav__Usenet__Providers__0__Host, __Username, " +
                "__Password. Or try it with --demo.");
    }

    /// <summary>An address that can be typed into a player: a wildcard or a loopback address reads as localhost.</summary>
    public static string Readable(string url) => url
        .Replace("[::]", "localhost", StringComparison.Ordinal)
        .Replace("0.0.0.0", "localhost", StringComparison.Ordinal)
        .Replace("*", "localhost", StringComparison.Ordinal)
        .TrimEnd('/');
}

/// <summary>Announces how to create the first user: in the log, or only on the console if the log level hides it. Not for a demo that is
/// only open to this machine.</summary>
internal static partial class SetupNotice
{
    public static async Task WriteAsync(IServiceProvider services, IEnumerable<string> urls, CancellationToken cancellationToken)
    {
        if (services.GetRequiredService<ServerFacts>().IsOpen
            || await services.GetRequiredService<UserAccounts>().AnyAsync(cancellationToken) || urls.FirstOrDefault() is not { } url)
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
