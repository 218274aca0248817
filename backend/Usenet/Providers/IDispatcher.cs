using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Gives the connections of providers their work. Thread-safe.</summary>
internal interface IDispatcher
{
    /// <summary>
    /// Registers a connection that is about to run. It gets no work before <see cref="IPooledConnection.Begin"/>. Takes no lock.
    /// </summary>
    IPooledConnection Register(Provider provider, NntpConnection connection);

    /// <summary>
    /// Requests that wait for a connection of this provider or of another one with its priority. Takes the dispatcher's lock.
    /// </summary>
    int WaitingFor(Provider provider);

    /// <summary>
    /// Reports that a provider's standing became worse: requests waiting for it are rerouted or fail. Called outside the locks of providers
    /// and pools.
    /// </summary>
    void ProviderChanged(Provider provider);
}

/// <summary>A connection registered with the dispatcher by its pool. Thread-safe; called outside the pool's lock.</summary>
internal interface IPooledConnection : INntpConnectionOwner
{
    /// <summary>The connection itself.</summary>
    NntpConnection Wire { get; }

    /// <summary>True once it was told to quit.</summary>
    bool IsDraining { get; }

    /// <summary>When <see cref="Drain"/> was called; null: it was not.</summary>
    long? DrainingSince { get; }

    /// <summary>Called once the connection runs: it may be given work.</summary>
    void Begin();

    /// <summary>Called when the connection has ended; its requests have already ended.</summary>
    void End();

    /// <summary>Sends a keep-alive or a QUIT over the connection if it is idle; else nothing happens.</summary>
    void Ping(NntpCommand command);

    /// <summary>Gives it no more requests; a QUIT follows what it carries.</summary>
    void Drain();

    /// <summary>Closes it at once; its requests are sent again on other connections.</summary>
    /// <param name="reason">Why, as text.</param>
    void Cut(string reason);
}
