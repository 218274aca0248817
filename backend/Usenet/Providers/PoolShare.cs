using NzbDav.Usenet.Providers.Shares;

namespace NzbDav.Usenet.Providers;

/// <summary>
/// Keeps a pool within its account's share, where other processes use the account too: closes connections when the share falls, and reports how they are used. Without a share it does nothing.
/// Thread-safe.
/// </summary>
/// <param name="state">The pool's.</param>
/// <param name="share">The account's; null: the account belongs to this process alone.</param>
internal sealed class PoolShare(PoolState state, AccountShare? share) : IShareMember, IDisposable
{
    /// <summary>How long a connection counts as in use after its last request: readers ask in bursts.</summary>
    public static readonly TimeSpan InUseFor = TimeSpan.FromSeconds(3);

    /// <summary>How long a connection that nobody else needs is kept after its last request.</summary>
    public static readonly TimeSpan RecentFor = TimeSpan.FromMinutes(1);

    /// <summary>Longest time for a connection to finish what it carries. An article takes so long at 150 KB/s.</summary>
    public static readonly TimeSpan LeaveLimit = TimeSpan.FromSeconds(5);

    /// <summary>How long a server may still count a connection that was closed without a QUIT. Longer than any round trip.</summary>
    public static readonly TimeSpan CountedFor = TimeSpan.FromSeconds(1);

    private const string Reason = "this gateway may no longer use it";

    /// <summary>Taken before all other locks: two threads must not both close what one has to.</summary>
    private readonly Lock _closing = new();

    /// <summary>Cancelled when the share ends: connections that are being opened count too.</summary>
    private CancellationTokenSource _dialling = new();

    /// <inheritdoc/>
    public int Most
    {
        get
        {
            lock (state.Gate)
                return state.IsRetired ? 0 : state.Options.MaxConnections;
        }
    }

    /// <summary>Connections that this process may have; null: the account belongs to it alone.</summary>
    public int? Granted => share?.Granted;

    /// <summary>True where other processes may use the account too.</summary>
    public bool IsShared => share is not null;

    public void Join() => share?.Join(this);

    public void Leave() => share?.Leave(this);

    /// <summary>A place for a lane.</summary>
    public SharePlace NewPlace() => new(share);

    /// <summary>Requests found no connection with room: asks for a larger share, if it is used up. Takes no lock.</summary>
    public void Ask() => share?.Ask();

    /// <summary>Runs an attempt to connect, which ends with the share.</summary>
    /// <exception cref="OperationCanceledException">The token fired, or the share has ended.</exception>
    public async Task<T> DialAsync<T>(Func<CancellationToken, Task<T>> dial, CancellationToken cancellationToken)
    {
        if (share is null)
            return await dial(cancellationToken);

        // The token first: a share that ends after the next line cancels it.
        var ends = Volatile.Read(ref _dialling).Token;
        if (share.HasLapsed)
            throw new OperationCanceledException(Reason);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, ends);
        return await dial(both.Token);
    }

    /// <summary>Closes what is beyond the share. Called when it changed, when a connection was opened, and once a second.</summary>
    public void Enforce()
    {
        if (share is null)
            return;
        if (share.HasLapsed)
        {
            Cut();
            return;
        }

        lock (_closing)
        {
            var open = Open();
            var excess = share.Excess;
            foreach (var leaving in open.Where(static employed => employed.IsLeaving))
            {
                excess--;
                if (leaving.DismissedAt is { } at && state.Time.GetElapsedTime(at) > LeaveLimit)
                    leaving.Cut($"{LeaveLimit.TotalSeconds:0} s were not enough for what it carried, and another gateway waits for it");
            }

            if (excess <= 0)
                return;
            foreach (var employed in open.Where(static employed => !employed.IsLeaving).OrderBy(static employed => employed.Wire.IsBusy).Take(excess))
                employed.Dismiss();
        }
    }

    /// <inheritdoc/>
    public void Changed(int gained)
    {
        lock (state.Gate)
        {
            for (var i = 0; i < Math.Min(gained, state.Options.MaxConnections); i++)
                state.Cap.Lost();
            state.Signal();
        }

        Enforce();
    }

    /// <inheritdoc/>
    public void Cut()
    {
        // Not disposed: an attempt may be about to ask it for its token.
        Interlocked.Exchange(ref _dialling, new CancellationTokenSource()).Cancel();
        foreach (var employed in Open())
            employed.Cut(Reason);
    }

    /// <inheritdoc/>
    public ShareUse Use()
    {
        // Outside the pool's lock: it takes the dispatcher's.
        var waiting = state.Account.Waiting;
        var (inUse, recent) = (0, 0);
        foreach (var employed in Open())
        {
            var isBusy = employed.Wire.IsBusy;
            var idle = employed.Wire.HasServed || employed.Wire.LastWork > employed.Wire.OpenedAt ? state.Time.GetElapsedTime(employed.Wire.LastWork) : TimeSpan.MaxValue;
            inUse += isBusy || idle < InUseFor ? 1 : 0;
            recent += isBusy || idle < RecentFor ? 1 : 0;
        }

        return new ShareUse(inUse, recent, waiting);
    }

    /// <inheritdoc/>
    public void Dispose() => _dialling.Dispose();

    private IEmployedConnection[] Open()
    {
        lock (state.Gate)
            return [.. state.Open];
    }
}
