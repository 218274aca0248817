using Microsoft.Extensions.Logging;
using NzbDav.Library.Media;

namespace NzbDav.Api.Native.Play;

/// <summary>
/// Finds out which of the releases of a search can be played: by what was met before, which is free, and by looking at the first of them
/// as an import would. Thread-safe.
/// </summary>
internal sealed partial class ReleaseChecks(
    PlayRequests requests, PlayInspection inspection, TimeProvider time, ILogger<ReleaseChecks> logger) : IDisposable
{
    /// <summary>How long a search waits for its checks. What is late goes on, and is known the next time.</summary>
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(8);

    /// <summary>How long one look may take, from its turn.</summary>
    private static readonly TimeSpan LongestLook = TimeSpan.FromSeconds(30);

    /// <summary>How long a release that was looked at is not looked at again.</summary>
    private static readonly TimeSpan Remembered = TimeSpan.FromMinutes(30);

    /// <summary>How many releases are looked at once.</summary>
    private const int AtOnce = 3;

    /// <summary>Most looks that wait for their turn: further ones are left out.</summary>
    private const int MostWaiting = 50;

    /// <summary>Most releases that are remembered; the oldest go first.</summary>
    private const int Most = 5_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, (bool IsSound, DateTimeOffset Until)> _seen = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();
    private readonly Dictionary<string, Task> _looking = new(StringComparer.Ordinal);
    private readonly SemaphoreSlim _slots = new(AtOnce);

    /// <summary>The releases with what is known of them.</summary>
    /// <param name="rows">The releases.</param>
    /// <param name="most">How many of them may be looked at: of each name the first post that is not known.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<IReadOnlyList<ReleaseBody>> CheckAsync(
        IReadOnlyList<ReleaseRow> rows, int most, CancellationToken cancellationToken)
    {
        var looks = new List<Task>();
        foreach (var copies in most == 0 ? [] : rows.GroupBy(static row => ReleaseName.KeyOf(row.Title), StringComparer.Ordinal))
        {
            if (looks.Count == most)
                break;
            var first = copies.FirstOrDefault(row => StateOf(row).State != ReleaseState.Dead);
            if (first is { IsTorrent: false } && StateOf(first).State == ReleaseState.Unknown)
                BeginLook(first, looks);
        }

        if (looks.Count > 0)
        {
            using var late = new CancellationTokenSource(Longest, time);
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, late.Token);
            await ((Task)Task.WhenAll(looks).WaitAsync(either.Token)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            cancellationToken.ThrowIfCancellationRequested();
        }

        return [.. rows.Select(Of)];

        ReleaseBody Of(ReleaseRow row)
        {
            var (state, reason) = StateOf(row);
            return ReleaseBody.Of(row, state, reason);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _slots.Dispose();

    private (ReleaseState State, string? Reason) StateOf(ReleaseRow row)
    {
        if (OrderOf(row) is { } order && requests.FindFailure(order) is { } failure)
            return (ReleaseState.Dead, failure.Message);
        lock (_gate)
        {
            return (_seen.TryGetValue(row.Id, out var seen) && seen.IsSound && IsStill(seen) ? ReleaseState.Sound : ReleaseState.Unknown,
                null);
        }
    }

    private bool IsStill((bool IsSound, DateTimeOffset Until) seen) => seen.Until > time.GetUtcNow();

    private PlayOrder? OrderOf(ReleaseRow row) =>
        requests.Find(row.Id, category: null, password: null, mayChange: false) is { } order ? order with { Next = [] } : null;

    /// <summary>Begins a look, or joins the one that runs; neither if it was looked at before, or if there is too much to do.</summary>
    private void BeginLook(ReleaseRow row, List<Task> looks)
    {
        if (OrderOf(row) is not { } order)
            return;
        lock (_gate)
        {
            if (_looking.TryGetValue(row.Id, out var running))
                looks.Add(running);
            else if (_looking.Count < MostWaiting && !(_seen.TryGetValue(row.Id, out var seen) && IsStill(seen)))
                looks.Add(_looking[row.Id] = Task.Run(() => LookAsync(row.Id, order)));
        }
    }

    /// <summary>Never throws: a look that fails leaves the release as it is.</summary>
    private async Task LookAsync(string id, PlayOrder order)
    {
        var isSound = false;
        try
        {
            await _slots.WaitAsync(CancellationToken.None);
            try
            {
                using var late = new CancellationTokenSource(LongestLook, time);
                isSound = (await inspection.InspectAsync(order, late.Token)).Failure is null;
            }
            finally
            {
                _slots.Release();
            }
        }
        catch (Exception e)
        {
            LogFailed(logger, order.ToString(), e.Message);
        }

        lock (_gate)
        {
            if (!_seen.ContainsKey(id))
                _order.Enqueue(id);
            _seen[id] = (isSound, time.GetUtcNow() + Remembered);
            while (_order.Count > Most)
                _seen.Remove(_order.Dequeue());
            _looking.Remove(id);
        }
    }

    [LoggerMessage(1842, LogLevel.Warning, "{Release} could not be checked: {Reason}")]
    private static partial void LogFailed(ILogger logger, string release, string reason);
}
