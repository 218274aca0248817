using System.Globalization;
using System.Net;
using NzbDav.Api.Completion;
using NzbDav.Import;
using NzbDav.Usenet.Providers;

namespace NzbDav.Host.Settings;

/// <summary>
/// Reads the <c>NzbDav</c> section (environment: <c>NzbDav__Usenet__Providers__0__Host=…</c>). Whatever is wrong is collected, one line
/// per fault, so that all of it can be mended at once; a name that does not exist is a fault too, because it would be ignored in silence.
/// </summary>
public sealed partial class SettingsReader
{
    private readonly IConfigurationSection _root;
    private readonly List<string> _faults = [];
    private readonly HashSet<string> _known = new(StringComparer.OrdinalIgnoreCase);

    private SettingsReader(IConfiguration configuration) => _root = configuration.GetSection("NzbDav");

    /// <summary>Reads and checks everything.</summary>
    public static (NzbDavSettings Settings, IReadOnlyList<string> Faults) Read(IConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        var reader = new SettingsReader(configuration);
        return (reader.ReadAll(), reader._faults);
    }

    private NzbDavSettings ReadAll()
    {
        var settings = new NzbDavSettings
        {
            Providers = ReadProviders(),
            WebDavUsername = Text("WebDav:Username"),
            WebDavPassword = Text("WebDav:Password"),
            WebDavScratch = Flag("WebDav:Scratch", otherwise: false),
            WebDavMountPath = ReadMountPath(),
            Api = ReadApi(),
            MemoryBudgetMiB = Number("Memory:BudgetMiB", 96, 16, 65_536),
            Categories = ReadCategories(),
            MaxNzbMiB = Number("Import:MaxNzbMiB", 512, 1, 1_024),
            ImportRules = ReadImport(),
            Torrents = ReadTorrents(),
            Operations = ReadOperations(),
        };
        if (settings.WebDavUsername is null != settings.WebDavPassword is null)
            Fault("WebDav", "Username and Password must be set together.");
        if (settings.WebDavUsername?.Contains(':', StringComparison.Ordinal) == true)
            Fault("WebDav:Username", "it holds a ':', which Basic authentication cannot send (RFC 7617).");
        FindUnknown(_root);
        return settings;
    }

    private List<ProviderOptions> ReadProviders()
    {
        var providers = new List<ProviderOptions>();
        foreach (var section in _root.GetSection("Usenet:Providers").GetChildren())
        {
            var path = $"Usenet:Providers:{section.Key}";
            if (!int.TryParse(section.Key, NumberStyles.None, CultureInfo.InvariantCulture, out _))
            {
                Fault(path, "providers are numbered: NzbDav__Usenet__Providers__0__Host and so on.");
                _known.UnionWith(section.AsEnumerable().Select(setting => setting.Key));
                continue;
            }

            var defaults = new ProviderOptions();
            var useTls = Flag($"{path}:UseTls", defaults.UseTls);
            var options = new ProviderOptions
            {
                Name = Text($"{path}:Name") ?? "",
                Host = Text($"{path}:Host") ?? "",
                UseTls = useTls,
                Port = Number($"{path}:Port", useTls ? 563 : 119, int.MinValue, int.MaxValue),
                VerifyCertificate = Flag($"{path}:VerifyCertificate", defaults.VerifyCertificate),
                Username = Text($"{path}:Username") ?? "",
                Password = Text($"{path}:Password") ?? "",
                MaxConnections = Number($"{path}:MaxConnections", defaults.MaxConnections, int.MinValue, int.MaxValue),
                WarmConnections = Text($"{path}:WarmConnections") is null ? null : Number($"{path}:WarmConnections", 0, int.MinValue, int.MaxValue),
                Priority = Number($"{path}:Priority", defaults.Priority, int.MinValue, int.MaxValue),
            };
            _faults.AddRange(options.Validate($"NzbDav:{path}"));
            if (options.Username.Length > 0 && options.Password.Length == 0)
                Fault($"{path}:Password", "it is empty but a user name is given.");
            providers.Add(options);
        }

        if (providers.Count > 64)
            Fault("Usenet:Providers", $"there are {providers.Count}: at most 64 can be used.");
        return providers;
    }

    private ApiSettings ReadApi() => new()
    {
        Key = ReadKey("Api:Key"),
        AddKey = ReadKey("Api:AddKey"),
        ReadKey = ReadKey("Api:ReadKey"),
        PrivateHosts = Names("Api:PrivateHosts") ?? [],
        LineMegabits = Text("Usenet:LineMegabits") is null ? null : Number("Usenet:LineMegabits", 0, 1, 1_000_000),
        Rclone = ReadRclone(),
    };

    private string? ReadKey(string path)
    {
        var key = Text(path);
        if (key is { Length: < 8 })
            Fault(path, "it must have at least 8 characters.");
        return key;
    }

    private RcloneOptions? ReadRclone()
    {
        var (url, user, password) = (Text("Rclone:Url"), Text("Rclone:Username"), Text("Rclone:Password"));
        if (url is null)
            return null;
        if (Uri.TryCreate(url, UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
            return new RcloneOptions(address, user, password);
        Fault("Rclone:Url", $"'{url}' is no address such as http://rclone:5572.");
        return null;
    }

    private IReadOnlyList<string> ReadCategories()
    {
        if (Text("Import:Categories") is not { } text)
            return new NzbDavSettings().Categories;
        var categories = text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        foreach (var category in categories.Where(category => SafeName.Of(category) != category))
            Fault("Import:Categories", $"'{category}' cannot be the name of a folder.");
        return categories;
    }

    private ImportOptions ReadImport()
    {
        var defaults = new ImportOptions();
        var folder = Text("Import:WatchFolder");
        if (folder is not null && !Path.IsPathFullyQualified(folder))
            Fault("Import:WatchFolder", $"'{folder}' is no absolute path.");
        return defaults with
        {
            Workers = Number("Import:Workers", defaults.Workers, 1, 16),
            Passwords = ReadPasswords(),
            Blocklist = Names("Import:Blocklist") ?? defaults.Blocklist,
            Samples = Names("Import:Samples") ?? defaults.Samples,
            VideoCategories = Names("Import:VideoCategories") ?? defaults.VideoCategories,
            MostMissing = Number("Import:MostMissingPercent", (int)Math.Round(defaults.MostMissing * 100), 0, 100) / 100.0,
            WatchFolder = folder,
            MetadataPatience = TimeSpan.FromMinutes(Number("Torrents:MetadataMinutes", (int)defaults.MetadataPatience.TotalMinutes, 1, 1_440)),
        };
    }

    private TorrentSettings ReadTorrents()
    {
        var defaults = new TorrentSettings();
        var address = defaults.ListenAddress;
        if (Text("Torrents:ListenAddress") is { } text && !IPAddress.TryParse(text, out address!))
            Fault("Torrents:ListenAddress", $"'{text}' is no address such as 0.0.0.0 or 192.168.1.2.");
        return new TorrentSettings
        {
            Enabled = Flag("Torrents:Enabled", defaults.Enabled),
            ListenAddress = address ?? defaults.ListenAddress,
            Port = Number("Torrents:Port", defaults.Port, 0, 65_535),
            CacheMiB = Number("Torrents:CacheMiB", defaults.CacheMiB, 0, 64 << 20),
            BudgetMiB = Number("Torrents:BudgetMiB", defaults.BudgetMiB, 16, 65_536),
            MaxPeers = Number("Torrents:MaxPeers", defaults.MaxPeers, 1, 1_000),
            UploadSlots = Number("Torrents:UploadSlots", defaults.UploadSlots, 1, 100),
            UploadKiBps = Number("Torrents:UploadKiBps", defaults.UploadKiBps, 0, 64 << 20),
            Idle = TimeSpan.FromMinutes(Number("Torrents:IdleMinutes", (int)defaults.Idle.TotalMinutes, 1, 10_080)),
        };
    }

    /// <summary>Numbered, not in one value: a password may hold any separator.</summary>
    private List<string> ReadPasswords()
    {
        var passwords = new List<string>();
        foreach (var section in _root.GetSection("Import:Passwords").GetChildren())
        {
            if (!int.TryParse(section.Key, NumberStyles.None, CultureInfo.InvariantCulture, out _))
                Fault($"Import:Passwords:{section.Key}", "passwords are numbered: NzbDav__Import__Passwords__0 and so on.");
            if (Text($"Import:Passwords:{section.Key}") is { } password)
                passwords.Add(password);
        }

        return passwords;
    }

    /// <summary>A list with commas; <c>none</c> is an empty one, as an empty value counts as not set.</summary>
    private string[]? Names(string path) => Text(path) switch
    {
        null => null,
        "none" => [],
        var text => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
    };

    private string ReadMountPath()
    {
        var path = Text("WebDav:MountPath") ?? new NzbDavSettings().WebDavMountPath;
        if (path[0] != '/' || path.AsSpan().ContainsAny('\0', '\n', '\r'))
            Fault("WebDav:MountPath", $"'{path}' is no absolute path such as /mnt/nzbdav.");
        return path.TrimEnd('/');
    }

    private string? Text(string path)
    {
        _known.Add($"{_root.Path}:{path}");
        var value = _root[path];
        return string.IsNullOrEmpty(value) ? null : value;
    }

    private int Number(string path, int otherwise, int least, int most)
    {
        if (Text(path) is not { } text)
            return otherwise;
        if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
            Fault(path, $"'{text}' is no whole number.");
        else if (number < least || number > most)
            Fault(path, $"{number} is outside {least} … {most}.");
        else
            return number;
        return otherwise;
    }

    private bool Flag(string path, bool otherwise)
    {
        if (Text(path) is not { } text)
            return otherwise;
        if (bool.TryParse(text, out var flag))
            return flag;
        Fault(path, $"'{text}' is neither true nor false.");
        return otherwise;
    }

    private void FindUnknown(IConfigurationSection section)
    {
        foreach (var child in section.GetChildren())
        {
            if (child.Value is not null && !_known.Contains(child.Path))
                _faults.Add($"{child.Path}: there is no such setting.");
            FindUnknown(child);
        }
    }

    private void Fault(string path, string what) => _faults.Add($"NzbDav:{path}: {what}");
}
