using System.Globalization;
using NzbDav.Access.Keys;

namespace NzbDav.Host.Settings;

/// <summary>
/// Combines the sources of settings: the environment overrides stored settings. A numbered item (a provider, a password) belongs to the
/// environment as a whole as soon as the environment sets any part of it, so that two accounts are never mixed. Immutable.
/// </summary>
public sealed class SettingSources
{
    private const string Root = "NzbDav";
    private const string FileSuffix = "_FILE";

    /// <summary>Says where the catalog is, and so where stored settings are: only the environment can set it.</summary>
    public const string CatalogConnection = "Catalog:Connection";

    /// <summary>Says where the blobs of a catalog in PostgreSQL are: only the environment can set it.</summary>
    public const string CatalogBlobs = "Catalog:Blobs";

    /// <summary>Where the other gateways on the same catalog reach this one: only the environment can set it, as stored settings are the
    /// same for all of them.</summary>
    public const string GatewayAddress = "Gateway:Address";

    /// <summary>
    /// For how many seconds a gateway keeps its shares of connections without renewing them: only the environment can set it.
    /// </summary>
    public const string GatewayLease = "Gateway:LeaseSeconds";

    /// <summary>Encrypts the keys of the configuration folder, and is kept elsewhere: only the environment can set it.</summary>
    public const string Secret = "Keys:Secret";

    private const int ShortestLease = 10;
    private const int LongestLease = 600;

    private static readonly string[] Lists = ["Usenet:Providers", "Import:Passwords", "Arrs", "Search:Indexers"];

    /// <summary>Stands for the environment of the process in one flow of calls: tests run commands in their own process.</summary>
    internal static readonly AsyncLocal<IConfiguration?> Substitute = new();

    private readonly Dictionary<string, string?> _environment = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<SettingFault> _faults = [];

    private readonly string? _catalogConnection;
    private readonly string? _catalogBlobs;
    private readonly string? _gatewayAddress;
    private readonly TimeSpan? _gatewayLease;
    private readonly string? _keySecret;

    /// <param name="environment">The environment's settings, which cannot be changed. A name that ends in <c>_FILE</c> names a file that
    /// holds the value, as container secrets do.</param>
    public SettingSources(IConfiguration environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        foreach (var (key, value) in environment.GetSection(Root).AsEnumerable(makePathsRelative: true)
            .Where(pair => !string.IsNullOrEmpty(pair.Value)))
        {
            if (key.EndsWith(FileSuffix, StringComparison.OrdinalIgnoreCase))
                AddFile(key[..^FileSuffix.Length], value!);
            else if (!_environment.TryAdd(key, value))
                _faults.Add(new SettingFault(key, $"it is set twice: directly, and with {FileSuffix}."));
        }

        _environment.Remove(CatalogConnection, out _catalogConnection);
        _environment.Remove(CatalogBlobs, out _catalogBlobs);
        if (_catalogBlobs is not null && !Path.IsPathFullyQualified(_catalogBlobs))
            _faults.Add(new SettingFault(CatalogBlobs, $"'{_catalogBlobs}' is not an absolute path."));
        if (_environment.Remove(GatewayAddress, out _gatewayAddress)
            && !(Uri.TryCreate(_gatewayAddress, UriKind.Absolute, out var address)
                && address is { Scheme: "http" or "https", Query: "", Fragment: "", UserInfo: "" }))
        {
            _faults.Add(new SettingFault(GatewayAddress, $"'{_gatewayAddress}' is not an address such as http://gateway1:8080."));
        }

        if (_environment.Remove(Secret, out _keySecret) && _keySecret!.Length < KeyRingFolder.ShortestSecret)
            _faults.Add(new SettingFault(Secret, $"it must have at least {KeyRingFolder.ShortestSecret} characters."));
        if (_environment.Remove(GatewayLease, out var lease))
        {
            if (int.TryParse(lease, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)
                && seconds is >= ShortestLease and <= LongestLease)
                _gatewayLease = TimeSpan.FromSeconds(seconds);
            else
                _faults.Add(new SettingFault(GatewayLease, $"'{lease}' is not a number from {ShortestLease} to {LongestLease}."));
        }
    }

    /// <summary>The environment's variables, with colons in their names.</summary>
    internal static IConfiguration ProcessEnvironment => Substitute.Value ?? new ConfigurationBuilder().AddEnvironmentVariables().Build();

    /// <summary>The environment of this process.</summary>
    public static SettingSources OfProcess() => new(ProcessEnvironment);

    /// <summary>Encrypts the keys of sessions and secrets in the configuration folder; null: they are stored in plain text.</summary>
    internal string? KeySecret => _keySecret;

    /// <summary>Reads everything and reports all faults, whatever their source.</summary>
    public SettingsReading Read(IReadOnlyDictionary<string, string> stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        var all = stored.Where(pair => !IsLocked(pair.Key)).Select(pair => new KeyValuePair<string, string?>(pair.Key, pair.Value))
            .Concat(_environment)
            .Select(pair => new KeyValuePair<string, string?>($"{Root}:{pair.Key}", pair.Value));
        var reading = SettingsReader.Read(new ConfigurationBuilder().AddInMemoryCollection(all).Build());
        return reading with
        {
            Settings = reading.Settings with
            {
                CatalogConnection = _catalogConnection,
                CatalogBlobs = _catalogBlobs,
                GatewayAddress = _gatewayAddress?.TrimEnd('/'),
                GatewayLease = _gatewayLease,
                KeySecret = _keySecret
            },
            Faults = [.. _faults, .. reading.Faults],
            Entries = [.. reading.Entries.Select(entry => entry with { Source = SourceOf(entry) })],
        };
    }

    /// <summary>Reads everything, ignoring stored settings that are wrong: they were valid once, and must not prevent a start.</summary>
    /// <returns>The reading, with the environment's faults, and the faults of the stored settings that were ignored.</returns>
    public (SettingsReading Reading, IReadOnlyList<SettingFault> Ignored) ReadTolerantly(IReadOnlyDictionary<string, string> stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        var kept = new Dictionary<string, string>(stored, StringComparer.OrdinalIgnoreCase);
        var ignored = new List<SettingFault>();
        while (true)
        {
            var reading = Read(kept);
            var before = kept.Count;
            foreach (var fault in reading.Faults)
            {
                // A numbered item is ignored as a whole: without the faulty part it would be a different one.
                var scope = Lists.Select(list => Item(list, fault.Path)).FirstOrDefault(item => item is not null) is { } thing
                    ? fault with { Path = thing } : fault;
                var wrong = kept.Keys.Where(setting => scope.Covers(setting) && !IsLocked(setting)).ToArray();
                foreach (var setting in wrong)
                    kept.Remove(setting);
                if (wrong.Length > 0)
                    ignored.Add(fault);
            }

            if (kept.Count == before)
                return (reading, ignored);
        }
    }

    /// <summary>True if the environment sets a setting, or another part of its numbered item.</summary>
    public bool IsLocked(string path) =>
        _environment.ContainsKey(path) || Array.Exists(
            Lists, list => Item(list, path) is { } item && _environment.Keys.Any(key => new SettingFault(item, "").Covers(key)));

    /// <summary>The numbered item of a list to which a setting belongs; null: none.</summary>
    private static string? Item(string list, string path)
    {
        if (!path.StartsWith(list + ":", StringComparison.OrdinalIgnoreCase))
            return null;
        var end = path.IndexOf(':', list.Length + 1);
        return end < 0 ? path : path[..end];
    }

    private SettingSource SourceOf(SettingEntry entry)
    {
        if (IsLocked(entry.Path))
            return SettingSource.Environment;
        return entry.Value is null ? SettingSource.Default : SettingSource.Stored;
    }

    private void AddFile(string path, string file)
    {
        try
        {
            if (!_environment.TryAdd(path, File.ReadAllText(file).TrimEnd('\r', '\n')))
                _faults.Add(new SettingFault(path, $"it is set twice: directly, and with {FileSuffix}."));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _faults.Add(new SettingFault(path + FileSuffix, $"the file cannot be read: {e.Message}"));
        }
    }
}
