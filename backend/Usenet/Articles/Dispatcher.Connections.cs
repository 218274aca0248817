using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <content>The connections that pools register.</content>
internal sealed partial class Dispatcher
{
    /// <inheritdoc/>
    public IEmployedConnection Employ(Provider provider, NntpConnection connection) => new EmployedConnection(this, _attempts, new Carrier(provider, connection));

    /// <summary>Adds a connection that is open and logged in.</summary>
    public void Add(Carrier connection)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            if (_state.TierOf(connection.Provider) is { } tier)
            {
                tier.Connections.Add(connection);
                _assigner.Assign(tier, ref work);
            }
            else
            {
                _assigner.QuitIfIdle(connection, ref work);
            }
        }

        _attempts.Do(work);
    }

    /// <summary>Removes a connection that ended; its requests have already ended.</summary>
    public void Remove(Carrier connection)
    {
        lock (_state.Gate)
            _state.TierOf(connection.Provider)?.Connections.Remove(connection);
    }

    /// <summary>Sends a keep-alive or a QUIT over an idle connection; nothing happens when it is not idle.</summary>
    public void Ping(Carrier connection, NntpCommand command)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            if (command == NntpCommand.Quit)
                _assigner.QuitIfIdle(connection, ref work);
            else if (connection.InFlight == 0 && !connection.IsLeaving)
                _assigner.Assign(connection, new ArticleRequest(command, fetch: null), ref work);
        }

        _attempts.Do(work);
    }

    /// <summary>Gives a connection no more requests; a QUIT follows what it carries.</summary>
    public void Dismiss(Carrier connection)
    {
        var work = new Work();
        lock (_state.Gate)
        {
            connection.IsLeaving = true;
            connection.DismissedAt = _state.Time.GetTimestamp();
            _assigner.QuitIfIdle(connection, ref work);
        }

        _attempts.Do(work);
    }

    /// <summary>Closes a connection at once; what it carries is routed anew.</summary>
    public void Cut(Carrier connection, string reason)
    {
        lock (_state.Gate)
            connection.IsLeaving = true;
        connection.Wire.GiveUp(reason);
    }

    /// <inheritdoc/>
    public int WaitingFor(Provider provider)
    {
        lock (_state.Gate)
            return _state.TierOf(provider)?.Queue.Count ?? 0;
    }
}
