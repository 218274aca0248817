using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core.Features;

namespace NzbDav.Access.Connections;

/// <summary>
/// One connection among those that <see cref="ConnectionSlots"/> counts. It counts as unauthenticated until a request on it proves who
/// sends it. A feature of the connection, and so of its requests. Thread-safe.
/// </summary>
public sealed class ConnectionSlot : IDisposable
{
    private readonly ConnectionSlots _owner;
    private readonly ConnectionContext _connection;
    private readonly ITimer _idle;
    private readonly Lock _gate = new();
    private int _requests;
    private bool _isAskedToClose;
    private volatile bool _isUnauthenticated = true;

    internal ConnectionSlot(ConnectionSlots owner, ConnectionContext connection, IPAddress block, TimeProvider time)
    {
        _owner = owner;
        _connection = connection;
        Block = block;
        _idle = time.CreateTimer(static state => ((ConnectionSlot)state!).OnIdle(), this, owner.Bounds.Idle, owner.Bounds.Idle);
    }

    /// <summary>False once somebody has signed in on it.</summary>
    internal bool IsUnauthenticated => _isUnauthenticated;

    /// <summary>The address block that it counts for.</summary>
    internal IPAddress Block { get; }

    /// <summary>
    /// Marks the connection of a request as authenticated: the request has the right password, key, session or link, or comes from a
    /// trusted network. The connection is kept even if its address reaches its limit, and its responses may be read slowly. Call before the
    /// response begins.
    /// </summary>
    public static void Keep(HttpContext http)
    {
        ArgumentNullException.ThrowIfNull(http);
        if (http.Features.Get<ConnectionSlot>() is not { IsUnauthenticated: true } slot)
            return;
        slot.Dispose();
        if (http.Features.Get<IHttpMinResponseDataRateFeature>() is { } rate)
            rate.MinDataRate = null;
    }

    /// <summary>Stops counting the connection: somebody has signed in on it, or it is closed.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            if (!_isUnauthenticated)
                return;
            _isUnauthenticated = false;
            _idle.Dispose();
        }

        _owner.Release(this);
    }

    internal void RequestStarted()
    {
        lock (_gate)
        {
            _requests++;
            _idle.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }
    }

    internal void RequestEnded()
    {
        lock (_gate)
        {
            if (--_requests == 0 && _isUnauthenticated)
                _idle.Change(_owner.Bounds.Idle, _owner.Bounds.Idle);
        }
    }

    internal void Abort() => _connection.Abort(new ConnectionAbortedException("Another address needs the connection."));

    private void OnIdle()
    {
        lock (_gate)
        {
            if (!_isUnauthenticated || _requests > 0)
                return;
            if (!_isAskedToClose && _connection.Features.Get<IConnectionLifetimeNotificationFeature>() is { } lifetime)
            {
                _isAskedToClose = true;
                lifetime.RequestClose();
                return;
            }
        }

        _connection.Abort(new ConnectionAbortedException("Nothing was asked for."));
    }
}
