using System.Globalization;
using NzbDav.Api.Completion;
using NzbDav.Api.QBittorrent.Options;
using NzbDav.Api.Sab.Calls;
using NzbDav.Arr.Client;

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

    /// <summary>The settings of one more *arr, with <c>#</c> in place of its number.</summary>
    public static IReadOnlyList<SettingEntry> ArrTemplate()
    {
        var reader = new SettingsReader(new ConfigurationBuilder().Build());
        reader.ReadArr("Arrs:#", 0);
        return [.. reader._entries.Values];
    }

    private List<ArrSettings> ReadArrs()
    {
        var arrs = new List<ArrSettings>();
        foreach (var section in _root.GetSection("Arrs").GetChildren())
        {
            var path = $"Arrs:{section.Key}";
            if (!int.TryParse(section.Key, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
                Fault(path, "they are numbered: NzbDav__Arrs__0__Url and so on.");
            else if (ReadArr(path, number) is { } arr)
                arrs.Add(arr);
        }

        return arrs;
    }

    private ArrSettings? ReadArr(string path, int number)
    {
        var kind = Choice($"{path}:Application");
        var (name, url, key, category) =
            (Text($"{path}:Name"), Text($"{path}:Url") ?? "", Secret($"{path}:ApiKey") ?? "", Text($"{path}:Category"));
        var tidies = Flag($"{path}:TidyQueue", otherwise: true);
        var (theirs, here) = (Text($"{path}:LibraryPath"), Text($"{path}:LibraryPathHere"));
        if (!Enum.TryParse<ArrApplication>(kind, ignoreCase: true, out var application) || !Enum.IsDefined(application)
            || char.IsAsciiDigit(kind![0]))
        {
            Fault($"{path}:Application", "it must be Sonarr, Radarr, Lidarr or Prowlarr.");
            return null;
        }

        var options = new ArrOptions { Application = application, Url = url, ApiKey = key };
        if (options.Problem() is { } problem)
        {
            Fault(path, problem);
            return null;
        }

        if (theirs is null != here is null)
            Fault(path, "LibraryPath and LibraryPathHere must be set together.");
        return new ArrSettings
        {
            Number = number,
            Name = name ?? application.ToString(),
            Options = options,
            Category = category ?? application switch
            {
                ArrApplication.Sonarr => "tv",
                ArrApplication.Radarr => "movies",
                ArrApplication.Lidarr => "music",
                _ => "other"
            },
            TidiesQueue = tidies && application != ArrApplication.Prowlarr,
            Library = theirs is not null && here is not null ? (theirs, here) : null,
        };
    }
}
