using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>Connects a connection and its pool with the dispatcher. Thread-safe.</summary>
/// <param name="dispatcher">Gives the connection work.</param>
/// <param name="attempts">Receives the outcome of its requests.</param>
/// <param name="carrier">The connection as the dispatcher sees it.</param>
internal sealed class EmployedConnection(Dispatcher dispatcher, AttemptRunner attempts, Carrier carrier) : IEmployedConnection
{
    public Carrier Carrier => carrier;

    /// <inheritdoc/>
    public NntpConnection Wire => carrier.Wire;

    /// <inheritdoc/>
    public bool IsLeaving => carrier.IsLeaving;

    /// <inheritdoc/>
    public long? DismissedAt => carrier.DismissedAt is var at && at != 0 ? at : null;

    /// <inheritdoc/>
    public void Begin() => dispatcher.Add(carrier);

    /// <inheritdoc/>
    public void End() => dispatcher.Remove(carrier);

    /// <inheritdoc/>
    public void Ping(NntpCommand command) => dispatcher.Ping(carrier, command);

    /// <inheritdoc/>
    public void Dismiss() => dispatcher.Dismiss(carrier);

    /// <inheritdoc/>
    public void Cut(string reason) => dispatcher.Cut(carrier, reason);

    /// <inheritdoc/>
    public void Ended(NntpConnection connection, NntpRequest request, AttemptOutcome outcome, string? reason) => attempts.Ended(carrier, (ArticleRequest)request, outcome, reason);

    /// <inheritdoc/>
    public void EndedOdd(NntpConnection connection, NntpRequest request, PooledBuffer buffer, ArticleHeader header) => attempts.EndedOdd(carrier, (ArticleRequest)request, buffer, header);
}
