using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Assigns work to the connections of providers. Thread-safe.</summary>
internal interface IDispatcher
{
    /// <summary>
    /// Registers a connection that is about to run. It gets no work before <see cref="IPooledConnection.Begin"/>. Takes no lock.
    /// </summary>
    IPooledConnection Register(Provider provider, NntpConnection connection);

    /// <summary>
    /// Number of requests that wait for a connection of this provider or of another one with its priority. Takes the dispatcher's lock.
    /// </summary>
    int WaitingFor(Provider provider);

    /// <summary>
    /// Reports that a provider's availability became worse: requests waiting for it are rerouted or fail. Call outside the locks of
    /// providers and pools.
    /// </summary>
    void ProviderChanged(Provider provider);
}

/// <summary>A connection registered with the dispatcher by its pool. Thread-safe; call outside the pool's lock.</summary>
internal interface IPooledConnection : INntpConnectionOwner
{
    /// <summary>The connection itself.</summary>
    NntpConnection Wire { get; }

    /// <summary>True once it was told to drain or quit.</summary>
    bool IsDraining { get; }

    /// <summary>When <see cref="Drain"/> was called; null: it was not.</summary>
    long? DrainingSince { get; }

    /// <summary>Call once the connection runs: it may be given work.</summary>
    void Begin();

    /// <summary>Call when the connection has ended; its requests have already ended.</summary>
    void End();

    /// <summary>Sends a keep-alive or a QUIT over the connection if it is idle; otherwise does nothing.</summary>
    void Ping(NntpCommand command);

    /// <summary>Gives the connection no more requests; QUIT follows those it carries.</summary>
    void Drain();

    /// <summary>Closes the connection at once; its requests are sent again on others.</summary>
    /// <param name="reason">Why, as text.</param>
    void Cut(string reason);
}
