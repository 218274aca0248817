using NzbDav.Api.Completion;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.Sab.Calls;

namespace NzbDav.Host.Settings;

public sealed partial class SettingsReader
{
    private ApiSettings ReadApi() => new()
    {
        Key = ReadKey("Api:Key"),
        ClientKey = ReadKey("Api:ClientKey"),
        AddKey = ReadKey("Api:AddKey"),
        ReadKey = ReadKey("Api:ReadKey"),
        PrivateHosts = ReadHosts("Api:PrivateHosts"),
        UserAgent = ReadUserAgent(),
        Proxy = ReadProxy("Api:Proxy"),
        LineMegabits = Maybe("Usenet:LineMegabits", 1, 1_000_000),
        Rclone = ReadRclone(),
    };

    private QbitOptions ReadQbit()
    {
        var defaults = new QbitOptions();
        return new QbitOptions
        {
            Enabled = Flag("Qbit:Enabled", defaults.Enabled),
            Networks = ReadNetworks("Qbit:Networks"),
            TrustsThisMachine = Flag("Qbit:TrustLocalhost", defaults.TrustsThisMachine),
            ShowsNzbJobs = Flag("Qbit:ShowNzb", defaults.ShowsNzbJobs),
            MostFailures = Number("Qbit:MaxFailures", defaults.MostFailures, 1, 1_000),
            BanLifetime = TimeSpan.FromMinutes(Number("Qbit:BanMinutes", (int)defaults.BanLifetime.TotalMinutes, 1, 10_080)),
        };
    }

    private string ReadUserAgent()
    {
        var text = Text("Api:UserAgent", SabOptions.DefaultUserAgent) ?? SabOptions.DefaultUserAgent;
        if (text.Length > 200 || text.AsSpan().ContainsAnyExceptInRange(' ', '~'))
            Fault("Api:UserAgent", "it may have 200 letters, digits and signs of ASCII.");
        return text;
    }

    private string? ReadKey(string path)
    {
        var key = Secret(path);
        if (key is { Length: < 8 })
            Fault(path, "it must have at least 8 characters.");
        return key;
    }

    private RcloneOptions? ReadRclone()
    {
        var (url, user, password) = (Text("Rclone:Url"), Text("Rclone:Username"), Secret("Rclone:Password"));
        if (url is null)
            return null;
        if (Uri.TryCreate(url, UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
            return new RcloneOptions(address, user, password);
        Fault("Rclone:Url", $"'{url}' is not an address such as http://rclone:5572.");
        return null;
    }
}
