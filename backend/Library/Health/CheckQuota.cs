using NzbDav.Catalog.Health;
using NzbDav.Catalog.Settings;

namespace NzbDav.Library.Health;

/// <summary>
/// Counts against a day's quota. STATs are counted in the catalog before they are sent, a batch at a time: a crash wastes a few but never
/// exceeds the quota. Two gateways that count at the same moment may exceed it by <see cref="Batch"/>. For one caller at a time.
/// </summary>
/// <param name="store">Stores the counts.</param>
/// <param name="options">The limits.</param>
internal sealed class CheckQuota(HealthStore store, Live<HealthOptions> options)
{
    /// <summary>Number of STATs counted in advance.</summary>
    private const int Batch = 200;

    private long _day = -1;
    private int _stats;
    private int _bodies;
    private int _ahead;

    /// <summary>STATs left today.</summary>
    public int Left => Math.Max(0, options.Value.StatsPerDay - _stats + _ahead);

    /// <summary>Begins or continues a day.</summary>
    public async Task OpenAsync(DateTimeOffset now, CancellationToken cancellationToken)
    {
        var day = now.UtcTicks / TimeSpan.TicksPerDay;
        if (day == _day && _ahead > 0)
            return;
        await CloseAsync(cancellationToken);
        _day = day;
        await ReadAsync(cancellationToken);
    }

    /// <summary>Counts one STAT. False: none are left today.</summary>
    public async ValueTask<bool> TryStatAsync(CancellationToken cancellationToken)
    {
        if (_ahead == 0)
        {
            await ReadAsync(cancellationToken);
            var count = Math.Min(Batch, options.Value.StatsPerDay - _stats);
            if (count <= 0)
                return false;
            await store.UseAsync(_day, count, 0, cancellationToken);
            (_stats, _ahead) = (_stats + count, count);
        }

        _ahead--;
        return true;
    }

    /// <summary>Counts one BODY. False: none are left today.</summary>
    public async ValueTask<bool> TryBodyAsync(CancellationToken cancellationToken)
    {
        await ReadAsync(cancellationToken);
        if (_bodies >= options.Value.BodiesPerDay)
            return false;
        await store.UseAsync(_day, 0, 1, cancellationToken);
        return true;
    }

    /// <summary>Returns the unused part of what was counted in advance.</summary>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        if (_ahead == 0)
            return;
        var unused = _ahead;
        (_stats, _ahead) = (_stats - unused, 0);
        await store.UseAsync(_day, -unused, 0, cancellationToken);
    }

    /// <summary>Reads the day's counts from the catalog: other gateways count there too.</summary>
    private async Task ReadAsync(CancellationToken cancellationToken)
    {
        var used = await store.DayAsync(_day, cancellationToken);
        (_stats, _bodies) = (used.Stats, used.Bodies);
    }
}
