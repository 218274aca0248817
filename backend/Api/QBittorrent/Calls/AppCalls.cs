using NzbDav.Access.Keys;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.QBittorrent.Routing;
using NzbDav.Api.QBittorrent.Signing;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Settings;

namespace NzbDav.Api.QBittorrent.Calls;

/// <summary><c>app/*</c> and <c>auth/logout</c>: version, build information and cookies of the application.</summary>
internal sealed class AppCalls(QbitGate gate, Live<SabOptions> paths) : IQbitCalls
{
    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("app/version", (_, _) => new(QbitReply.Text(QbitOptions.Version))),
        QbitRoute.Read("app/webapiVersion", (_, _) => new(QbitReply.Text(QbitOptions.ApiVersion))),
        QbitRoute.Read("app/buildInfo", (_, _) => new(BuildInfo())),
        QbitRoute.Read("app/defaultSavePath", (_, _) => new(QbitReply.Text(paths.Value.CompletedPath))),
        QbitRoute.Read("app/cookies", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Read("app/networkInterfaceList", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Read("app/networkInterfaceAddressList", static (_, _) => new(QbitReply.Json(Array.Empty<string>()))),
        QbitRoute.Change("app/setCookies", static (_, _) => new(QbitReply.Done), "cookies"),
        QbitRoute.Change("app/sendTestEmail", static (_, _) => new(QbitReply.Done)),

        // Folders of this machine are not shown to clients.
        QbitRoute.Read("app/getDirectoryContent", static (_, _) => new(QbitReply.NotFound()), "dirPath"),
        QbitRoute.Change("app/shutdown", static (_, _) => new(QbitReply.Forbidden())),
        new("auth/logout", ApiRights.None, (call, _) => new(gate.LogOut(call))) { IsCommand = true },
    ];

    /// <summary>Some clients show these versions; none depends on them.</summary>
    private static QbitReply BuildInfo() => QbitReply.Json(new SortedDictionary<string, object>(StringComparer.Ordinal)
    {
        ["bitness"] = IntPtr.Size * 8,
        ["boost"] = "1.86.0",
        ["libtorrent"] = "2.0.11.0",
        ["openssl"] = "3.5.0",
        ["platform"] = OperatingSystem.IsWindows() ? "windows" : OperatingSystem.IsMacOS() ? "macos" : "linux",
        ["qt"] = "6.9.0",
        ["zlib"] = "1.3.1",
    });
}
