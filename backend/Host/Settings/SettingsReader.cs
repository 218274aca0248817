using System.Collections.Frozen;
using System.Globalization;
using NzbDav.Access;
using NzbDav.Host.Settings.Texts;
using NzbDav.Import;
using NzbDav.Usenet;
using NzbDav.Usenet.Providers;
using NzbDav.Usenet.Providers.Quotas;

namespace NzbDav.Host.Settings;

/// <summary>
/// Reads the <c>NzbDav</c> section (environment: <c>NzbDav__Usenet__Providers__0__Host=…</c>). Whatever is wrong is collected, one line
/// per fault, so that all of it can be mended at once; a name that does not exist is a fault too, because it would be ignored in silence.
/// </summary>
public sealed partial class SettingsReader
{
    /// <summary>What the torrent engine is made with: its port, and whether it is there at all.</summary>
    private static readonly FrozenSet<string> AtStart = new[] { "Torrents:Enabled", "Torrents:KeepFolder", "Torrents:ListenAddress", "Torrents:Port" }.ToFrozenSet(StringComparer.OrdinalIgnoreCase);

    /// <summary>Settings that have another name since, by the old one: a variable of the environment is not renamed by itself.</summary>
    private static readonly FrozenDictionary<string, string> Renamed =
        new Dictionary<string, string> { ["Torrents:UploadKiBps"] = "Torrents:UploadLimit" }.ToFrozenDictionary(StringComparer.OrdinalIgnoreCase);

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

    /// <summary>What a provider that does not exist yet may have, with <c>#</c> in place of its number.</summary>
    public static IReadOnlyList<SettingEntry> ProviderTemplate()
    {
        var reader = new SettingsReader(new ConfigurationBuilder().Build());
        reader.ReadProvider("Usenet:Providers:#");
        return [.. reader._entries.Values];
    }

    /// <summary>What one more password of archives may be.</summary>
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
            ScannersGiveWay = Flag("Scanners:GiveWay", defaults.ScannersGiveWay),
            RecordTo = ReadRecordTo(),
            RecordMiB = Number("Streams:RecordMiB", defaults.RecordMiB, 4, 65_536),
            Categories = ReadCategories(),
            MaxNzbMiB = Number("Import:MaxNzbMiB", 512, 1, 1_024),
            ImportRules = ReadImport(),
            Torrents = ReadTorrents(),
            Arrs = ReadArrs(),
            Operations = ReadOperations(),
        };
        if (settings.WebDavUsername is null != settings.WebDavPassword is null)
            Fault("WebDav", "Username and Password must be set together.");
        if (string.Equals(settings.WebDavPassword, AccountRules.OfExample, StringComparison.OrdinalIgnoreCase))
            Fault("WebDav:Password", $"'{AccountRules.OfExample}' is what the example says: choose a password of your own.");
        if (settings.StrmCategories.Count > 0 && settings.StrmUrl.Length == 0)
            Fault("Strm:Url", "it must say where players reach this server, such as http://nas:8080, when there are categories with .strm files.");
        if (settings.StrmUrl.Length == 0 && settings.Twins.Any(static twin => twin.Addresses))
            Fault("Strm:Url", "it must say where players reach this server, such as http://nas:8080, when folders are filled with .strm files.");
        settings = settings with { Twins = [.. settings.Twins.Select(twin => twin with { AddressRoot = settings.StrmUrl, MountPath = settings.WebDavMountPath })] };
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
                Fault(path, $"'{text}' is none of never, day, week and month.");
                return QuotaPeriod.Never;
        }
    }

    private IReadOnlyList<string> ReadCategories()
    {
        var categories = Names("Import:Categories", new NzbDavSettings().Categories);
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
            Blocklist = Names("Import:Blocklist", defaults.Blocklist),
            Samples = Names("Import:Samples", defaults.Samples),
            VideoCategories = Names("Import:VideoCategories", defaults.VideoCategories),
            Patience = TimeSpan.FromHours(Number("Import:PatienceHours", (int)defaults.Patience.TotalHours, 1, 720)),
            MostMissing = Number("Import:MostMissingPercent", (int)Math.Round(defaults.MostMissing * 100), 0, 100) / 100.0,
            RepairsReads = Flag("Import:RepairReads", defaults.RepairsReads),
            WatchFolder = folder,
            MetadataPatience = TimeSpan.FromMinutes(Number("Torrents:MetadataMinutes", (int)defaults.MetadataPatience.TotalMinutes, 1, 1_440)),
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
            else if (Secret($"Import:Passwords:{section.Key}") is { } password)
                passwords.Add(password);
        }

        return passwords;
    }

    /// <summary>A list with commas; <c>none</c> is an empty one, as an empty value counts as not set.</summary>
    private IReadOnlyList<string> Names(string path, IReadOnlyList<string> otherwise) =>
        Split(Take(path, SettingKind.List, otherwise.Count == 0 ? "none" : string.Join(',', otherwise))) ?? otherwise;

    /// <summary>A list that need not be there.</summary>
    /// <param name="path">Its name.</param>
    /// <param name="otherwise">What holds without it, for people.</param>
    private string[]? Names(string path, string otherwise) => Split(Take(path, SettingKind.List, otherwise));

    private static string[]? Split(string? text) => text switch
    {
        null => null,
        "none" => [],
        _ => text.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries),
    };

    private string ReadStrmUrl()
    {
        if (Text("Strm:Url") is not { } url)
            return "";
        if (!Uri.TryCreate(url, UriKind.Absolute, out var address) || address.Scheme is not ("http" or "https") || address.Query.Length + address.Fragment.Length + address.UserInfo.Length > 0)
            Fault("Strm:Url", $"'{url}' is no address such as http://nas:8080.");
        return url.TrimEnd('/');
    }

    private string? ReadCacheFolder()
    {
        var folder = Text("Cache:Folder");
        if (folder is not null && !Path.IsPathFullyQualified(folder))
            Fault("Cache:Folder", $"'{folder}' is no absolute path.");
        return folder;
    }

    private string ReadMountPath()
    {
        var otherwise = new NzbDavSettings().WebDavMountPath;
        var path = Take("WebDav:MountPath", SettingKind.Text, otherwise) ?? otherwise;
        if (path[0] != '/' || path.AsSpan().ContainsAny('\0', '\n', '\r'))
            Fault("WebDav:MountPath", $"'{path}' is no absolute path such as /mnt/nzbdav.");
        return path.TrimEnd('/');
    }

    private string? Text(string path, string? otherwise = null) => Take(path, SettingKind.Text, otherwise);

    /// <summary>One of the texts that <see cref="SettingText.Choices"/> lists; the caller judges it.</summary>
    private string? Choice(string path, string? otherwise = null) => Take(path, SettingKind.Choice, otherwise);

    private string? Secret(string path) => Take(path, SettingKind.Secret, otherwise: null);

    private int Number(string path, int otherwise, int least, int most) =>
        Parse(path, Take(path, SettingKind.Number, Invariant(otherwise), least, most), least, most) ?? otherwise;

    /// <summary>A number that need not be there.</summary>
    private int? Maybe(string path, int least, int most) => Parse(path, Take(path, SettingKind.Number, otherwise: null, least, most), least, most);

    private int? Parse(string path, string? text, int least, int most)
    {
        if (text is null)
            return null;
        if (!int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number))
            Fault(path, $"'{text}' is no whole number.");
        else if (number < least || number > most)
            Fault(path, $"{number} is outside {least} … {most}.");
        else
            return number;
        return null;
    }

    /// <summary>The one place where values are taken: what is asked for here is what there is.</summary>
    private string? Take(string path, SettingKind kind, string? otherwise, int? least = null, int? most = null)
    {
        var value = _root[path];
        if (string.IsNullOrEmpty(value))
            value = null;
        _entries.TryAdd(path, new SettingEntry(path, kind, otherwise, least, most) { Value = value, NeedsRestart = AtStart.Contains(path) });
        return value;
    }

    private static string Invariant(int number) => number.ToString(CultureInfo.InvariantCulture);

    private bool Flag(string path, bool otherwise)
    {
        if (Take(path, SettingKind.Flag, otherwise ? "true" : "false") is not { } text)
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
            var path = child.Path[(_root.Path.Length + 1)..];
            if (child.Value is not null && !_entries.ContainsKey(path) && !_faults.Exists(fault => fault.Covers(path)))
                Fault(path, Renamed.TryGetValue(path, out var name) ? $"it is called NzbDav__{name.Replace(":", "__", StringComparison.Ordinal)} now, with the same value." : "there is no such setting.");
            FindUnknown(child);
        }
    }

    private void Fault(string path, string what) => _faults.Add(new SettingFault(path, what));
}
