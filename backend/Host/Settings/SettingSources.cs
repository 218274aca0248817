namespace NzbDav.Host.Settings;

/// <summary>
/// Who says what: the environment, and below it what is stored. A numbered thing (a provider, a password) belongs to the environment as a whole
/// as soon as that says anything about it: half an account of each would be nobody's. Immutable.
/// </summary>
public sealed class SettingSources
{
    private const string Root = "NzbDav";
    private const string FileSuffix = "_FILE";

    private static readonly string[] Lists = ["Usenet:Providers", "Import:Passwords", "Arrs"];

    private readonly Dictionary<string, string?> _environment = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<SettingFault> _faults = [];

    /// <param name="environment">What cannot be changed. A name that ends in <c>_FILE</c> names a file that holds the value, as container secrets do.</param>
    public SettingSources(IConfiguration environment)
    {
        ArgumentNullException.ThrowIfNull(environment);
        foreach (var (key, value) in environment.GetSection(Root).AsEnumerable(makePathsRelative: true).Where(pair => !string.IsNullOrEmpty(pair.Value)))
        {
            if (key.EndsWith(FileSuffix, StringComparison.OrdinalIgnoreCase))
                Take(key[..^FileSuffix.Length], value!);
            else if (!_environment.TryAdd(key, value))
                _faults.Add(new SettingFault(key, $"it is set twice: as it is, and with {FileSuffix}."));
        }
    }

    /// <summary>The environment of this process.</summary>
    public static SettingSources OfProcess() => new(new ConfigurationBuilder().AddEnvironmentVariables().Build());

    /// <summary>Reads everything. What is wrong with it is told, whoever set it.</summary>
    public SettingsReading Read(IReadOnlyDictionary<string, string> stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        var all = stored.Where(pair => !IsLocked(pair.Key)).Select(pair => new KeyValuePair<string, string?>(pair.Key, pair.Value)).Concat(_environment)
            .Select(pair => new KeyValuePair<string, string?>($"{Root}:{pair.Key}", pair.Value));
        var reading = SettingsReader.Read(new ConfigurationBuilder().AddInMemoryCollection(all).Build());
        return reading with
        {
            Faults = [.. _faults, .. reading.Faults],
            Entries = [.. reading.Entries.Select(entry => entry with { Source = SourceOf(entry) })],
        };
    }

    /// <summary>Reads everything, and leaves out of what is stored whatever is wrong: it was right once, and must not keep the server from starting.</summary>
    /// <returns>What was read, whose faults are the environment's, and what is wrong with what was left out.</returns>
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
                // Of a numbered thing nothing is left: without what is wrong it would be another.
                var scope = Lists.Select(list => Item(list, fault.Path)).FirstOrDefault(item => item is not null) is { } thing ? fault with { Path = thing } : fault;
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

    /// <summary>True when the environment decides about a setting.</summary>
    public bool IsLocked(string path) =>
        _environment.ContainsKey(path) || Array.Exists(Lists, list => Item(list, path) is { } item && _environment.Keys.Any(key => new SettingFault(item, "").Covers(key)));

    /// <summary>The numbered thing of a list that a setting belongs to.</summary>
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

    private void Take(string path, string file)
    {
        try
        {
            if (!_environment.TryAdd(path, File.ReadAllText(file).TrimEnd('\r', '\n')))
                _faults.Add(new SettingFault(path, $"it is set twice: as it is, and with {FileSuffix}."));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _faults.Add(new SettingFault(path + FileSuffix, $"the file cannot be read: {e.Message}"));
        }
    }
}
