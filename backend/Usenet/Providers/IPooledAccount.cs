using NzbDav.Usenet.Accounts;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>The pool's view of its provider. Thread-safe.</summary>
internal interface IPooledAccount : INntpAccount
{
    /// <summary>As configured; never changes.</summary>
    ProviderOptions Options { get; }

    /// <summary>Its number in the timeline.</summary>
    int Number { get; }

    /// <summary>Decoded bytes of intact articles. Costs nothing to read.</summary>
    long Bytes { get; }

    /// <summary>Requests that wait for one of its connections. Takes the dispatcher's lock.</summary>
    int Waiting { get; }

    /// <summary>Registers a connection with the dispatcher. Takes no lock.</summary>
    IEmployedConnection Employ(NntpConnection connection);

    /// <summary>Reports that a connection was opened, and how long that took.</summary>
    void Connected(TimeSpan took);

    /// <summary>Reports that the provider's standing became worse. Called outside the pool's lock.</summary>
    void StandingWorsened();

    /// <summary>Reports that the phase of the pool changed. Called under the pool's lock: only schedules.</summary>
    void PhaseChanged();

    /// <summary>Called once a second, outside the pool's lock.</summary>
    void Look();
}
