using NzbDav.Access.Accounts;
using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;

namespace NzbDav.Host.Settings;

/// <summary>
/// The current settings, and the way to change them: a change with any fault is refused as a whole; a valid one is stored and takes effect
/// at once. Changes that another process stores are adopted. Thread-safe.
/// </summary>
internal sealed partial class SettingsBook : IDisposable
{
    private readonly SettingSources _sources;
    private readonly SettingStore _store;
    private readonly StoredSettings _stored;
    private readonly Func<NzbDavSettings, NzbDavSettings> _overlay;
    private readonly SemaphoreSlim _gate = new(1);
    private readonly Dictionary<string, string?> _started;
    private State _state;

    /// <summary>
    /// 1: a call of <see cref="FollowAsync"/> is pending and has not begun to read, so it will see every change until now.
    /// </summary>
    private int _follows;

    private SettingsBook(
        SettingSources sources, SettingStore store, StoredSettings stored, Func<NzbDavSettings, NzbDavSettings> overlay, State state)
    {
        _sources = sources;
        _store = store;
        _stored = stored;
        _overlay = overlay;
        _state = state;
        _started = state.Entries.Where(entry => entry.NeedsRestart)
            .ToDictionary(entry => entry.Path, Effective, StringComparer.OrdinalIgnoreCase);
        store.Changed += OnStoreChanged;
    }

    /// <summary>Raised after <see cref="Current"/> changed. Calls do not overlap.</summary>
    public event Action<NzbDavSettings>? Changed;

    /// <summary>The settings in force.</summary>
    public NzbDavSettings Current => Volatile.Read(ref _state).Settings;

    /// <summary>Every setting, with its source.</summary>
    public IReadOnlyList<SettingEntry> Entries =>
        [.. Volatile.Read(ref _state).Entries.Select(entry => entry.NeedsRestart ? entry with
        {
            IsPending = !string.Equals( Effective(entry), _started.GetValueOrDefault(entry.Path), StringComparison.OrdinalIgnoreCase),
        } : entry)];

    /// <summary>The faults of stored settings that are ignored because of them.</summary>
    public IReadOnlyList<SettingFault> Ignored => Volatile.Read(ref _state).Ignored;

    /// <summary>Logs failures to adopt changes of other processes; set once, when there is a logger.</summary>
    public ILogger? Logger { get; set; }

    /// <summary>Reads everything.</summary>
    /// <param name="sources">The environment.</param>
    /// <param name="store">The stored settings.</param>
    /// <param name="folder">The configuration folder.</param>
    /// <param name="overlay">Changes made by a command line; null: none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The book; or the faults of the environment, which prevent a start.</returns>
    /// <exception cref="CatalogException">The catalog cannot be read.</exception>
    public static async Task<(SettingsBook? Book, IReadOnlyList<SettingFault> Faults)> OpenAsync(
        SettingSources sources, SettingStore store, string folder, Func<NzbDavSettings, NzbDavSettings>? overlay,
        CancellationToken cancellationToken)
    {
        var stored = new StoredSettings(store, folder, sources.KeySecret);
        overlay ??= static settings => settings;
        var (state, faults) = await ReadAsync(sources, stored, overlay, cancellationToken);
        return faults.Count > 0 ? (null, faults) : (new SettingsBook(sources, store, stored, overlay, state), []);
    }

    /// <summary>True if the environment sets a setting, or another part of its numbered item.</summary>
    public bool IsLocked(string path) => _sources.IsLocked(path);

    /// <summary>Changes settings: all of them, or none if anything is wrong.</summary>
    /// <param name="changes">New values by path; null resets a setting to its default.</param>
    /// <param name="movesSecrets">Allows a kept secret to be sent to another address than before: see
    /// <see cref="SecretDestinations"/>.</param>
    /// <param name="cancellationToken">Cancels the operation as long as nothing has been stored.</param>
    /// <returns>The faults; empty if the changes are in force.</returns>
    /// <exception cref="CatalogException">They cannot be stored.</exception>
    public async Task<IReadOnlyList<SettingFault>> ChangeAsync(
        IReadOnlyDictionary<string, string?> changes, bool movesSecrets, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(changes);
        await _gate.WaitAsync(cancellationToken);
        try
        {
            var (now, lost) = await _stored.ReadAsync(cancellationToken);
            var known = now.Keys.Concat(lost.Select(fault => fault.Path)).ToArray();
            return await StoreAsync(now, changes.ToDictionary(change => StoredSpelling(change.Key, known), change => change.Value,
                StringComparer.OrdinalIgnoreCase), movesSecrets, cancellationToken);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>
    /// Replaces all stored settings by those of an export. Secrets that the export does not contain stay unchanged if the item they belong
    /// to still exists. Settings of the environment are skipped.
    /// </summary>
    /// <inheritdoc cref="ChangeAsync"/>
    public async Task<IReadOnlyList<SettingFault>> ReplaceAsync(
        IReadOnlyDictionary<string, string> settings, bool movesSecrets, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(settings);
        await _gate.WaitAsync(cancellationToken);
        try
        {
            var (now, lost) = await _stored.ReadAsync(cancellationToken);
            var changes = now.Keys.Concat(lost.Select(fault => fault.Path))
                .ToDictionary(path => path, _ => (string?)null, StringComparer.OrdinalIgnoreCase);
            foreach (var (path, value) in settings.Where(setting => !_sources.IsLocked(setting.Key)))
                changes[path] = value;
            foreach (var secret in Entries.Where(
                entry => entry is { Kind: SettingKind.Secret, Source: SettingSource.Stored } && !settings.ContainsKey(entry.Path)))
            {
                var parent = secret.Path[..(secret.Path.LastIndexOf(':') + 1)];
                if (!char.IsAsciiDigit(parent[^2])
                    || settings.Keys.Any(path => path.StartsWith(parent, StringComparison.OrdinalIgnoreCase)))
                    changes.Remove(secret.Path);
            }

            return await StoreAsync(now, changes, movesSecrets, cancellationToken);
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _store.Changed -= OnStoreChanged;
        _gate.Dispose();
    }

    private static async Task<(State State, IReadOnlyList<SettingFault> Faults)> ReadAsync(
        SettingSources sources, StoredSettings stored, Func<NzbDavSettings, NzbDavSettings> overlay, CancellationToken cancellationToken)
    {
        var (values, lost) = await stored.ReadAsync(cancellationToken);
        var (reading, ignored) = sources.ReadTolerantly(values);
        return (new State(overlay(reading.Settings), reading.Entries, [.. lost, .. ignored], values), reading.Faults);
    }

    /// <summary>The spelling that is stored already: paths ignore case, but rows do not.</summary>
    private string StoredSpelling(string path, string[] known) =>
        Array.Find(known, other => other.Equals(path, StringComparison.OrdinalIgnoreCase))
        ?? Entries.FirstOrDefault(entry => entry.Path.Equals(path, StringComparison.OrdinalIgnoreCase))?.Path
        ?? path;

    private async Task<IReadOnlyList<SettingFault>> StoreAsync(IReadOnlyDictionary<string, string> now, Dictionary<string, string?> changes,
        bool movesSecrets, CancellationToken cancellationToken)
    {
        SettingFault[] locked = [.. changes.Keys.Where(_sources.IsLocked).Select(path => new SettingFault(
            path, $"it is set by the environment (NzbDav__{path.Replace(":", "__", StringComparison.Ordinal)}): change it there."))];
        if (locked.Length > 0)
            return locked;
        var next = new Dictionary<string, string>(now, StringComparer.OrdinalIgnoreCase);
        foreach (var (path, value) in changes)
        {
            if (string.IsNullOrEmpty(value))
                next.Remove(path);
            else
                next[path] = value;
        }

        // Earlier faults that this change does not touch do not prevent it.
        var reading = _sources.Read(next);
        var before = _sources.Read(now);
        SettingFault[] faults = [.. reading.Faults.Except(before.Faults), .. FindShortPassword(before.Settings, reading.Settings),
            .. movesSecrets ? [] : SecretDestinations.FindMoved(before.Entries, reading.Entries, changes.ContainsKey)];
        if (faults.Length > 0)
            return faults;
        var secrets = reading.Entries.Where(entry => entry.Kind == SettingKind.Secret).Select(entry => entry.Path)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        await _stored.WriteAsync(changes.ToDictionary(change => change.Key, change => next.GetValueOrDefault(change.Key),
            StringComparer.Ordinal), secrets.Contains, cancellationToken);
        await ApplyStoredAsync(CancellationToken.None);
        return [];
    }

    /// <summary>
    /// Refuses a new password for players that is shorter than a password of the page may be. An existing one stays valid; a start warns of
    /// it.
    /// </summary>
    private static SettingFault[] FindShortPassword(NzbDavSettings before, NzbDavSettings after) =>
        after.WebDavPassword is { Length: < AccountRules.ShortestPassword } password && password != before.WebDavPassword
            ? [new SettingFault("WebDav:Password", $"it must have at least {AccountRules.ShortestPassword} characters.")]
            : [];

    /// <summary>Makes the stored settings current. Call while holding the gate.</summary>
    private async Task ApplyStoredAsync(CancellationToken cancellationToken)
    {
        var (state, _) = await ReadAsync(_sources, _stored, _overlay, cancellationToken);
        if (IsSame(state.Values, _state.Values))
            return;
        Volatile.Write(ref _state, state);
        Changed?.Invoke(state.Settings);
    }

    private static string? Effective(SettingEntry entry) => entry.Value ?? entry.Default;

    private static bool IsSame(IReadOnlyDictionary<string, string> one, IReadOnlyDictionary<string, string> other) =>
        one.Count == other.Count && one.All(pair => other.TryGetValue(pair.Key, out var value) && value == pair.Value);

    /// <summary>
    /// Usually this process's own change, which is in force by the time this runs; a change of another process is adopted.
    /// </summary>
    private void OnStoreChanged(string key)
    {
        if (StoredSettings.IsKey(key) && Interlocked.Exchange(ref _follows, 1) == 0)
            _ = FollowAsync();
    }

    /// <summary>Adopts the stored settings, after any change in progress.</summary>
    private async Task FollowAsync()
    {
        await Task.Yield();
        try
        {
            await _gate.WaitAsync();
            try
            {
                // Reset before reading: a change that the read misses needs another call.
                Interlocked.Exchange(ref _follows, 0);
                await ApplyStoredAsync(CancellationToken.None);
            }
            finally
            {
                _gate.Release();
            }
        }
        catch (Exception e) when (e is CatalogException or ObjectDisposedException)
        {
            if (Logger is { } logger)
                LogNotTaken(logger, e.Message);
        }
        catch (Exception e)
        {
            // A handler of Changed failed; the settings are in force.
            if (Logger is { } logger)
                LogFault(logger, e);
        }
    }

    [LoggerMessage(710, LogLevel.Error, "Settings changed by another process could not be applied completely.")]
    private static partial void LogFault(ILogger logger, Exception exception);

    [LoggerMessage(451, LogLevel.Warning, "Settings changed by another process could not be adopted: {Reason}")]
    private static partial void LogNotTaken(ILogger logger, string reason);

    private sealed record State(NzbDavSettings Settings, IReadOnlyList<SettingEntry> Entries, IReadOnlyList<SettingFault> Ignored,
        IReadOnlyDictionary<string, string> Values);
}
