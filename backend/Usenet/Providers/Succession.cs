namespace NzbDav.Usenet.Providers;

/// <summary>
/// Passes an account's connections from a retired pool to the pool that replaces it. The retired one finishes what it carries, and the
/// server counts its connections until then: the heir opens one for each that ended, and a refusal meanwhile does not mean that the account
/// fails. Thread-safe.
/// </summary>
/// <param name="state">The pool's.</param>
internal sealed class Succession(PoolState state)
{
    /// <summary>The pool that replaces this one; null: none. Guarded by the pool's lock.</summary>
    private Succession? _heir;

    /// <summary>Leaves the connections of a retired pool to its heir, unless it has one. No two locks are held at once.</summary>
    public void LeaveTo(Succession heir)
    {
        int lanes;
        long lastGoodAt;
        lock (state.Gate)
        {
            if (_heir is not null)
                return;
            _heir = heir;
            lanes = state.Active + state.Inherited;
            lastGoodAt = state.Open.Count > 0 ? state.Time.GetTimestamp() : state.LastGoodAt;
        }

        heir.Inherit(lanes, lastGoodAt);
    }

    /// <summary>Ends a lane's turn: its connection has ended. Called outside the pool's lock.</summary>
    public void EndTurn()
    {
        Succession? heir;
        long lastGoodAt;
        lock (state.Gate)
        {
            state.EndTurn();
            (heir, lastGoodAt) = (_heir, state.LastGoodAt);
        }

        heir?.Release(lastGoodAt);
    }

    private void Inherit(int lanes, long lastGoodAt)
    {
        lock (state.Gate)
        {
            state.Inherited += lanes;
            state.LastGoodAt = Math.Max(state.LastGoodAt, lastGoodAt);

            // The account may allow fewer than configured.
            for (var i = 0; i < Math.Min(lanes, state.Options.MaxConnections); i++)
                state.Cap.Lost();
        }
    }

    /// <summary>One of the inherited connections has ended. The server may count it for a moment more.</summary>
    private void Release(long lastGoodAt)
    {
        Succession? heir;
        lock (state.Gate)
        {
            state.Inherited--;
            state.LastGoodAt = Math.Max(state.LastGoodAt, lastGoodAt);
            state.Cap.Lost();
            state.Signal();
            heir = _heir;
        }

        // It was replaced too, and left what it had inherited.
        heir?.Release(lastGoodAt);
    }
}
