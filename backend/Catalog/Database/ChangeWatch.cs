using System.Globalization;

namespace NzbDav.Catalog.Database;

/// <summary>
/// Tells a cache that its contents are out of date: at once after a commit of this process, and after one of another as soon as that is
/// told, at the latest within <see cref="CatalogOptions.ForeignChangeInterval"/>. Thread-safe.
/// </summary>
internal sealed class ChangeWatch
{
    private readonly CatalogDatabase _database;
    private readonly string _scope;
    private readonly Action _changed;
    private long _version;
    private long _dataVersion;
    private long _checkedAt;

    public ChangeWatch(CatalogDatabase database, string scope, Action changed)
    {
        _database = database;
        _scope = scope;
        _changed = changed;
        _checkedAt = database.Time.GetTimestamp();
        database.Committed += Committed;
        database.NoticesReceived += OnNotices;
        database.NoticesLost += changed;
    }

    /// <summary>
    /// Costs a clock reading, and one small query when the interval is over. Concurrent callers do not wait for the one that asks. Nobody
    /// waits for a server: it tells of changes by itself, so this only finds those that were told while a connection was dead.
    /// </summary>
    public ValueTask CheckAsync(CancellationToken cancellationToken)
    {
        var last = Interlocked.Read(ref _checkedAt);
        if (_database.Time.GetElapsedTime(last) < _database.Options.ForeignChangeInterval)
            return default;
        if (Interlocked.CompareExchange(ref _checkedAt, _database.Time.GetTimestamp(), last) != last)
            return default;
        if (!_database.Engine.Waits)
            return ReadVersionAsync(cancellationToken);
        _ = CheckInBackgroundAsync();
        return default;
    }

    private async Task CheckInBackgroundAsync()
    {
        try
        {
            await ReadVersionAsync(CancellationToken.None);
        }
        catch (Exception error) when (error is CatalogException or ObjectDisposedException)
        {
            // Asked again after the next interval.
        }
    }

    private async ValueTask ReadVersionAsync(CancellationToken cancellationToken)
    {
        var dataVersion = await _database.DataVersionAsync(cancellationToken);
        if (Interlocked.Read(ref _dataVersion) == dataVersion)
            return;
        var version = await _database.VersionAsync(_scope, cancellationToken);
        if (Interlocked.Exchange(ref _version, version) != version)
            _changed();

        // Set last: if the query fails, the next check must ask again.
        Interlocked.Exchange(ref _dataVersion, dataVersion);
    }

    private void Committed(CatalogTransaction transaction)
    {
        if (transaction.Changed.TryGetValue(_scope, out var version))
            Become(version);
    }

    private void OnNotices(IReadOnlyList<CatalogNotice> notices)
    {
        foreach (var (kind, text) in notices)
        {
            if (kind == NoticeKind.Scope && text.Split('=') is [var scope, var version] && scope == _scope)
                Become(long.Parse(version, CultureInfo.InvariantCulture));
        }
    }

    private void Become(long version)
    {
        Interlocked.Exchange(ref _version, version);
        _changed();
    }
}
