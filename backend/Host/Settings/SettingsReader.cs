using System.Collections.Frozen;
using System.Globalization;
using System.Text;
using NzbDav.Access.Accounts;
using NzbDav.Import.Names;
using NzbDav.Import.Options;
using NzbDav.Mount;
using NzbDav.Usenet;
using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Host.Settings;

/// <summary>
/// Reads the <c>NzbDav</c> section (environment: <c>NzbDav__Usenet__Providers__0__Host=…</c>). Collects all faults, one line each, so that
/// they can be corrected together. An unknown name is a fault too, because it would otherwise be ignored silently.
/// </summary>
public sealed partial class SettingsReader
{
    /// <summary>Most bytes of a Unix socket's path: <c>sun_path</c> has 108 with the zero at its end (unix(7)).</summary>
    private const int LongestSocket = 107;

    /// <summary>Settings that the torrent engine is created with, and those of the mount.</summary>
    private static readonly FrozenSet<string> AtStart =
        new[]
        {
            "Torrents:Enabled", "Torrents:KeepFolder", "Torrents:ListenAddress",
            "Mount:Path", "Mount:Socket", "Mount:AllowOther", "Mount:User", "Mount:Group",
        }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>Renamed settings, by their old names. A variable in the environment keeps its old name until somebody renames it.</summary>
    private static readonly FrozenDictionary<string, string> Renamed =
        new Dictionary<string, string> { ["Torrents:UploadKiBps"] = "Torrents:UploadLimit" }.ToFrozenDictionary(
            StringComparer.OrdinalIgnoreCase);

    private readonly IConfigurationSection _root;
    private readonly List<SettingFault> _faults = [];
    private readonly Dictionary<string, SettingEntry> _entries = new(StringComparer.OrdinalIgnoreCase);

    private SettingsReader(IConfiguration configuration) => _root = configuration.GetSection("NzbDav");

    /// <summary>Reads and checks everything.</summary>
    public static SettingsReading Read(IConfiguration configuration)
    {
        ArgumentNullException.ThrowIfNull(configuration);
        var reader = new SettingsReader(configuration);
        return new SettingsReading(reader.ReadAll(), reader._faults, [.. reader._entries.Values]);
    }

    /// <summary>The settings of one more provider, with <c>#</c> in place of its number.</summary>
    public static IReadOnlyList<SettingEntry> ProviderTemplate()
    {
        var reader = new SettingsReader(new ConfigurationBuilder().Build());
        reader.ReadProvider("Usenet:Providers:#");
        return [.. reader._entries.Values];
    }

    /// <summary>The setting of one more archive password.</summary>
    public static IReadOnlyList<SettingEntry> PasswordTemplate()
    {
        var reader = new SettingsReader(new ConfigurationBuilder().Build());
        reader.Secret("Import:Passwords:#");
        return [.. reader._entries.Values];
    }

    private NzbDavSettings ReadAll()
    {
        var defaults = new NzbDavSettings();
        var settings = new NzbDavSettings
        {
            Providers = ReadProviders(out var numbers),
            ProviderNumbers = numbers,
            WebDavUsername = Text("WebDav:Username"),
            WebDavPassword = Secret("WebDav:Password"),
            WebDavScratch = Flag("WebDav:Scratch", otherwise: false),
            Mount = ReadMount(),
            WebDavMountPath = ReadMountPath(),
            WebDavDeleteLinked = Flag("WebDav:DeleteLinked", otherwise: false),
            Keeping = ReadKeeping(),
            Health = ReadHealth(),
            StrmCategories = Names("Strm:Categories", []),
            StrmUrl = ReadStrmUrl(),
            Twins = ReadTwins(),
            Api = ReadApi(),
            Qbit = ReadQbit(),
            Access = ReadAccess(),
            MemoryBudgetMiB = Number("Memory:BudgetMiB", defaults.MemoryBudgetMiB, 16, 65_536),
            StartsMiB = Number("Starts:DiskMiB", defaults.StartsMiB, 0, 1 << 20),
            Holes = ReadHoles(),
            CacheGiB = Number("Cache:DiskGiB", defaults.CacheGiB, 0, 1 << 16),
            CacheFolder = ReadCacheFolder(),
            ScannersYield = Flag("Scanners:GiveWay", defaults.ScannersYield),
            RecordTo = ReadRecordTo(),
            RecordMiB = Number("Streams:RecordMiB", defaults.RecordMiB, 4, 65_536),
            Categories = ReadCategories(),
            MaxNzbMiB = Number("Import:MaxNzbMiB", defaults.MaxNzbMiB, 1, 1_024),
            ImportRules = ReadImport(),
            Torrents = ReadTorrents(),
            Arrs = ReadArrs(),
            Indexers = ReadIndexers(),
            Search = ReadSearch(),
            Operations = ReadOperations(),
        };
        if (settings.WebDavUsername is null != settings.WebDavPassword is null)
            Fault("WebDav", "Username and Password must be set together.");
        if (string.Equals(settings.WebDavPassword, AccountRules.OfExample, StringComparison.OrdinalIgnoreCase))
            Fault("WebDav:Password", $"'{AccountRules.OfExample}' is the password of the example: choose one of your own.");
        if (settings.StrmCategories.Count > 0 && settings.StrmUrl.Length == 0)
            Fault("Strm:Url",
                "it must say where players reach this server, such as http://nas:8080, when there are categories with .strm files.");
        if (settings.StrmUrl.Length == 0 && settings.Twins.Any(static twin => twin.Addresses))
            Fault("Strm:Url",
                "it must say where players reach this server, such as http://nas:8080, when folders are filled with .strm files.");
        settings = settings with
        {
            Twins = [
            .. settings.Twins.Select(twin => twin with { AddressRoot = settings.StrmUrl, MountPath = settings.WebDavMountPath })]
        };
        if (settings.WebDavUsername?.Contains(':', StringComparison.Ordinal) == true)
            Fault("WebDav:Username", "it holds a ':', which Basic authentication cannot send (RFC 7617).");
        FindUnknown(_root);
        return settings;
    }

    private List<ProviderOptions> ReadProviders(out List<int> numbers)
    {
        var providers = new List<ProviderOptions>();
        numbers = [];
        foreach (var section in _root.GetSection("Usenet:Providers").GetChildren())
        {
            var path = $"Usenet:Providers:{section.Key}";
            if (!int.TryParse(section.Key, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            {
                Fault(path, "providers are numbered: NzbDav__Usenet__Providers__0__Host and so on.");
                continue;
            }

            providers.Add(ReadProvider(path));
            numbers.Add(number);
        }

        if (providers.Count > UsenetClient.MostProviders)
            Fault("Usenet:Providers", $"there are {providers.Count}: at most {UsenetClient.MostProviders} can be used.");
        return providers;
    }

    private ProviderOptions ReadProvider(string path)
    {
        var defaults = new ProviderOptions();
        var useTls = Flag($"{path}:UseTls", defaults.UseTls);
        var options = new ProviderOptions
        {
            Name = Text($"{path}:Name") ?? "",
            Host = Text($"{path}:Host") ?? "",
            UseTls = useTls,
            Port = Number($"{path}:Port", useTls ? 563 : 119, 1, 65_535),
            VerifyCertificate = Flag($"{path}:VerifyCertificate", defaults.VerifyCertificate),
            Username = Text($"{path}:Username") ?? "",
            Password = Secret($"{path}:Password") ?? "",
            MaxConnections = Number($"{path}:MaxConnections", defaults.MaxConnections, 1, 500),
            WarmConnections = Maybe($"{path}:WarmConnections", 0, 500),
            Priority = Number($"{path}:Priority", defaults.Priority, 0, 99),
            Weight = Number($"{path}:Weight", defaults.Weight, 1, 100),
            BackupOnly = Flag($"{path}:BackupOnly", defaults.BackupOnly),
            RetentionDays = Number($"{path}:RetentionDays", defaults.RetentionDays, 0, ProviderOptions.MostRetentionDays),
            Proxy = ReadProxy($"{path}:Proxy"),
            Backbone = Text($"{path}:Backbone") ?? "",
            QuotaGigabytes = Number($"{path}:QuotaGB", 0, 0, (int)ProviderOptions.MostGigabytes),
            QuotaPeriod = ReadQuotaPeriod($"{path}:QuotaPeriod"),
            QuotaResetDay = Number($"{path}:QuotaResetDay", defaults.QuotaResetDay, 1, 31),
        };
        foreach (var fault in options.Validate(path))
        {
            // "PATH:Host is empty: …" is about one setting, "PATH: the name …" about several.
            var end = fault[path.Length + 1] == ' ' ? path.Length : fault.IndexOf(' ', path.Length);
            Fault(fault[..end], fault[end..].TrimStart(':', ' '));
        }
        if (options.Username.Length > 0 && options.Password.Length == 0)
            Fault($"{path}:Password", "it is empty but a user name is given.");
        return options;
    }

    private QuotaPeriod ReadQuotaPeriod(string path)
    {
        switch (Choice(path, "never"))
        {
            case null or "never":
                return QuotaPeriod.Never;
            case "day":
                return QuotaPeriod.Day;
            case "week":
                return QuotaPeriod.Week;
            case "month":
                return QuotaPeriod.Month;
            case { } text:
                Fault(path, $"'{text}' is not one of never, day, week and month.");
                return QuotaPeriod.Never;
        }
    }

    private IReadOnlyList<string> ReadCategories()
    {
        var categories = Names("Import:Categories", new NzbDavSettings().Categories);
        foreach (var category in categories.Where(category => SafeName.Of(category) != category))
            Fault("Import:Categories", $"'{category}' is not a valid folder name.");
        return categories;
    }

    private ImportOptions ReadImport()
    {
        var defaults = new ImportOptions();
        var folder = Text("Import:WatchFolder");
        if (folder is not null && !Path.IsPathFullyQualified(folder))
            Fault("Import:WatchFolder", $"'{folder}' is not an absolute path.");
        return defaults with
        {
            Workers = Number("Import:Workers", defaults.Workers, 1, 16),
            Passwords = ReadPasswords(),
            Blocklist = Names("Import:Blocklist", defaults.Blocklist),
            Samples = Names("Import:Samples", defaults.Samples),
            VideoCategories = Names("Import:VideoCategories", defaults.VideoCategories),
            RetryPeriod = TimeSpan.FromHours(Number("Import:PatienceHours", (int)defaults.RetryPeriod.TotalHours, 1, 720)),
            RefusedLoginTimeout = TimeSpan.FromMinutes(
                Number("Import:RefusedAccountMinutes", (int)defaults.RefusedLoginTimeout.TotalMinutes, 0, 43_200)),
            MostMissing = Number("Import:MostMissingPercent", (int)Math.Round(defaults.MostMissing * 100), 0, 100) / 100.0,
            MostChecked = (long)Number("Import:CheckedArchiveGiB", (int)(defaults.MostChecked >> 30), 0, 1024) << 30,
            RepairsReads = Flag("Import:RepairReads", defaults.RepairsReads),
            WatchFolder = folder,
            MetadataTimeout = TimeSpan.FromMinutes(
                Number("Torrents:MetadataMinutes", (int)defaults.MetadataTimeout.TotalMinutes, 1, 1_440)),
        };
    }

    /// <summary>Numbered instead of a list in one value: a password may contain any separator.</summary>
    private List<string> ReadPasswords()
    {
        var passwords = new List<string>();
        foreach (var section in _root.GetSection("Import:Passwords").GetChildren())
        {
            if (!int.TryParse(section.Key, NumberStyles.None, CultureInfo.InvariantCulture, out _))
                Fault($"Import:Passwords:{section.Key}", "passwords are numbered: NzbDav__Import__Passwords__0 and so on.");
            else if (Secret($"Import:Passwords:{section.Key}") is { } password)
                passwords.Add(password);
        }

        return passwords;
    }

    private string ReadStrmUrl()
    {
        if (Text("Strm:Url") is not { } url)
            return "";
        if (!Uri.TryCreate(url, UriKind.Absolute, out var address) || address.Scheme is not ("http" or "https")
            || address.Query.Length + address.Fragment.Length + address.UserInfo.Length > 0)
            Fault("Strm:Url", $"'{url}' is not an address such as http://nas:8080.");
        return url.TrimEnd('/');
    }

    private string? ReadCacheFolder()
    {
        var folder = Text("Cache:Folder");
        if (folder is not null && !Path.IsPathFullyQualified(folder))
            Fault("Cache:Folder", $"'{folder}' is not an absolute path.");
        return folder;
    }

    private MountOptions ReadMount()
    {
        var defaults = new MountOptions();
        var path = Text("Mount:Path");
        if (path is not null && (!Path.IsPathFullyQualified(path) || path.AsSpan().ContainsAny('\0', '\n', '\r')))
            Fault("Mount:Path", $"'{path}' is not an absolute path such as /mnt/nzbdav.");
        var socket = Text("Mount:Socket");
        if (socket is not null && (!Path.IsPathFullyQualified(socket) || Encoding.UTF8.GetByteCount(socket) > LongestSocket))
            Fault("Mount:Socket", $"'{socket}' is not an absolute path of at most {LongestSocket} bytes such as /run/nzbdav/mount.sock.");
        return new()
        {
            Path = path is { Length: > 1 } ? path.TrimEnd('/') : path,
            Socket = socket,
            AllowsOthers = Flag("Mount:AllowOther", defaults.AllowsOthers),
            User = ReadOwner("Mount:User"),
            Group = ReadOwner("Mount:Group"),
        };

        uint? ReadOwner(string setting) => Text(setting) is null ? null : (uint)Number(setting, 0, 0, int.MaxValue);
    }

    private string ReadMountPath()
    {
        // The links of a mount lead into it, unless programs see it at another path.
        var otherwise = Text("Mount:Path") ?? new NzbDavSettings().WebDavMountPath;
        var path = ReadRaw("WebDav:MountPath", SettingKind.Text, otherwise) ?? otherwise;
        if (path[0] != '/' || path.AsSpan().ContainsAny('\0', '\n', '\r'))
            Fault("WebDav:MountPath", $"'{path}' is not an absolute path such as /mnt/nzbdav.");
        return path.TrimEnd('/');
    }
}

/// <summary>The result of reading a configuration. Immutable.</summary>
/// <param name="Settings">The settings; faulty ones are replaced by their defaults.</param>
/// <param name="Faults">All faults, so that they can be corrected together.</param>
/// <param name="Entries">Every existing setting in the order of reading; of numbered ones, those that are set.</param>
public sealed record SettingsReading(NzbDavSettings Settings, IReadOnlyList<SettingFault> Faults, IReadOnlyList<SettingEntry> Entries);

/// <summary>A fault in the settings.</summary>
/// <param name="Path">The setting or group concerned, below <c>NzbDav</c>: <c>Usenet:Providers:0:Host</c>.</param>
/// <param name="Message">What is wrong with it, as a sentence without the setting's name.</param>
public sealed record SettingFault(string Path, string Message)
{
    /// <summary>True if the fault concerns a setting, or a group that contains it.</summary>
    public bool Covers(string setting)
    {
        ArgumentNullException.ThrowIfNull(setting);
        return setting.StartsWith(Path, StringComparison.OrdinalIgnoreCase)
            && (setting.Length == Path.Length || setting[Path.Length] == ':');
    }

    /// <inheritdoc/>
    public override string ToString() => $"NzbDav:{Path}: {Message}";
}
