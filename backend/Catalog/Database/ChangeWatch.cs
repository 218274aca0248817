using System.Globalization;

namespace NzbDav.Catalog.Database;

/// <summary>
/// Tells a cache that it is out of date: at once after a commit of this process; after one of another process as soon as its notice
/// arrives, at the latest within <see cref="CatalogOptions.ForeignChangeInterval"/>. Thread-safe.
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
    /// Costs a clock reading, and one small query per interval. Concurrent callers do not wait for that query. With a server nobody waits:
    /// its notices report changes, so this only finds those that were missed while a connection was dead.
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
            // Checked again after the next interval.
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

        // Set last: if the query fails, the next check must query again.
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
