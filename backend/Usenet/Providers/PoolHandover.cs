namespace NzbDav.Usenet.Providers;

/// <summary>
/// Passes an account's connections from a retired pool to the pool that replaces it. The retired one finishes what it carries, and the
/// server counts its connections until then: the heir opens one for each that ended, and a refusal meanwhile does not mean that the account
/// fails. Thread-safe.
/// </summary>
/// <param name="state">The pool's.</param>
internal sealed class PoolHandover(PoolState state)
{
    /// <summary>The pool that replaces this one; null: none. Guarded by the pool's lock.</summary>
    private PoolHandover? _successor;

    /// <summary>Leaves the connections of a retired pool to its heir, unless it has one. No two locks are held at once.</summary>
    public void HandOverTo(PoolHandover successor)
    {
        int lanes;
        long lastGoodAt;
        lock (state.Gate)
        {
            if (_successor is not null)
                return;
            _successor = successor;
            lanes = state.Active + state.Inherited;
            lastGoodAt = state.Open.Count > 0 ? state.Time.GetTimestamp() : state.LastGoodAt;
        }

        successor.Inherit(lanes, lastGoodAt);
    }

    /// <summary>Ends a lane's turn: its connection has ended. Called outside the pool's lock.</summary>
    public void ExitActive()
    {
        PoolHandover? heir;
        long lastGoodAt;
        lock (state.Gate)
        {
            state.ExitActive();
            (heir, lastGoodAt) = (_successor, state.LastGoodAt);
        }

        heir?.InheritedEnded(lastGoodAt);
    }

    private void Inherit(int lanes, long lastGoodAt)
    {
        lock (state.Gate)
        {
            state.Inherited += lanes;
            state.LastGoodAt = Math.Max(state.LastGoodAt, lastGoodAt);

            // The account may allow fewer than configured.
            for (var i = 0; i < Math.Min(lanes, state.Options.MaxConnections); i++)
                state.Cap.ConnectionLost();
        }
    }

    /// <summary>One of the inherited connections has ended. The server may count it for a moment more.</summary>
    private void InheritedEnded(long lastGoodAt)
    {
        PoolHandover? heir;
        lock (state.Gate)
        {
            state.Inherited--;
            state.LastGoodAt = Math.Max(state.LastGoodAt, lastGoodAt);
            state.Cap.ConnectionLost();
            state.Signal();
            heir = _successor;
        }

        // It was replaced too, and left what it had inherited.
        heir?.InheritedEnded(lastGoodAt);
    }
}
