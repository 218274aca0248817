using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Providers;

/// <summary>Connections whose login works and which serve nothing: to open another at once would be in vain, and every article that is given to it is late.</summary>
internal sealed partial class ConnectionPool
{
    /// <summary>A connection that lived as long without serving anything had nothing to do: servers close idle ones after minutes.</summary>
    private static readonly TimeSpan ShortLife = TimeSpan.FromSeconds(10);

    /// <summary>Counts the times that a connection served nothing; those that were open together count once.</summary>
    private int _trial;

    /// <summary>A connection served nothing; none that was opened since has served or lived for <see cref="ShortLife"/>.</summary>
    private volatile bool _onTrial;

    /// <summary>That it serves nothing is certain: connections that were open together with the one that told so and end after it add nothing, and none of them may hide it.</summary>
    private bool _certain;

    /// <summary>A connection has served something, or is old enough to be trusted.</summary>
    public void Served(NntpConnection connection)
    {
        if (!_onTrial)
            return;
        lock (_gate)
        {
            if (!_onTrial || connection.Trial != _trial)
                return;
            _onTrial = false;
            SignalLocked();
        }

        _breaker.Served();
    }

    /// <summary>One lane at a time tries: always where the provider is in doubt, and where connections serve nothing the next one waits until the last has served.</summary>
    private bool MayConnectLocked()
    {
        if (_onTrial)
            return _active == _open.Count && !_open.Exists(connection => connection.Trial == _trial);
        return (_proven && !_doubted) || _active == _open.Count;
    }

    /// <summary>True when it ended soon after its login, by the server's will, and served nothing.</summary>
    private bool IsShortLived(NntpConnection connection) =>
        connection is { HasServed: false, IsLeaving: false, Fault: null } && !_stop.IsCancellationRequested && _time.GetElapsedTime(connection.OpenedAt) < ShortLife;

    private async Task ServedNothingAsync(NntpConnection connection)
    {
        var result = connection.WasRefused
            ? NntpConnectResult.Failed(
                NntpConnectFailure.ServiceRefused, $"{Options.Host}:{Options.Port} accepts the login and refuses to serve articles ({connection.CloseReason}): check that the account is paid for and has data left.")
            : NntpConnectResult.Failed(
                NntpConnectFailure.Refused, $"{Options.Host}:{Options.Port} accepts the login and ends the connection before it serves anything ({connection.CloseReason}).");
        bool news = false, counts;
        lock (_gate)
        {
            _unreached = false;
            counts = connection.Trial == _trial;

            // One that was only lost may be chance: what waits is left to the next connection. A refusal is not, and neither is the second in a row.
            if (counts)
                _certain = connection.WasRefused || _onTrial;
            var certain = connection.WasRefused || (_certain && (counts || _onTrial));
            if (counts)
            {
                _trial++;
                _onTrial = true;
                _doubted = true;
            }

            if (certain && _open.Count == 0)
            {
                news = _failure?.Reason != result.Reason;
                FailedLocked(result);
            }
        }

        if (news)
            LogFailing(_logger, Options.DisplayName, result.Reason);
        if (counts)
            await _breaker.ServedNothingAsync(_stop.Token);
        ReportIfWorse();
    }
}
