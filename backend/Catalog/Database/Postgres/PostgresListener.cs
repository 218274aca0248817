using System.Net.Sockets;
using Dapper;
using Npgsql;

namespace NzbDav.Catalog.Database.Postgres;

/// <summary>
/// Receives what other gateways commit (LISTEN), on a connection of its own that is reopened when it is lost. Notices arrive in commit
/// order, on a pool thread. The gateway whose connection holds the catalog's advisory lock leads; when that connection ends, the server
/// gives the lock to another.
/// </summary>
internal sealed class PostgresListener : IAsyncDisposable
{
    /// <summary>
    /// Prefix of the channel name, followed by the schema: two catalogs in one database do not receive each other's notices.
    /// </summary>
    public const string ChannelPrefix = "nzbdav_";

    /// <summary>Delay before the connection is reopened.</summary>
    internal static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    /// <summary>How often a gateway that does not lead tries to.</summary>
    private static readonly TimeSpan LeadCheckInterval = TimeSpan.FromSeconds(1);

    /// <summary>Identifies the lock, together with the schema: the ASCII letters of "nzbd".</summary>
    private const int LeadingLock = 0x6E7A_6264;

    private readonly CancellationTokenSource _stop = new();
    private readonly NpgsqlDataSource _source;
    private readonly string _self;
    private readonly Action<IReadOnlyList<CatalogNotice>> _onNotices;
    private readonly Action _onNoticesLost;
    private readonly TimeProvider _time;
    private readonly Task _work;
    private volatile bool _isLeading;

    private PostgresListener((NpgsqlConnection Connection, bool IsLeading) first, NpgsqlDataSource source, string self,
        Action<IReadOnlyList<CatalogNotice>> onNotices, Action onNoticesLost, TimeProvider time)
    {
        (_source, _self, _onNotices, _onNoticesLost, _time) = (source, self, onNotices, onNoticesLost, time);
        _isLeading = first.IsLeading;
        _work = Task.Run(() => RunAsync(first.Connection));
    }

    /// <summary>True while this gateway holds the lock.</summary>
    public bool IsLeading => _isLeading;

    /// <summary>Starts to listen: everything committed after it returns is received.</summary>
    /// <param name="source">Opens connections.</param>
    /// <param name="self">The sender whose notices are skipped.</param>
    /// <param name="onNotices">Called with the notices of others; must return quickly.</param>
    /// <param name="onNoticesLost">Called when notices may have been lost; must return quickly.</param>
    /// <param name="time">Clock.</param>
    /// <param name="cancellationToken">Cancels the first connection.</param>
    public static async Task<PostgresListener> BeginAsync(
        NpgsqlDataSource source, string self, Action<IReadOnlyList<CatalogNotice>> onNotices, Action onNoticesLost, TimeProvider time,
        CancellationToken cancellationToken) =>
        new(await OpenAsync(source, cancellationToken), source, self, onNotices, onNoticesLost, time);

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync();
        await _work;
        _stop.Dispose();
    }

    private static async Task<(NpgsqlConnection Connection, bool IsLeading)> OpenAsync(
        NpgsqlDataSource source, CancellationToken cancellationToken)
    {
        var connection = await source.OpenConnectionAsync(cancellationToken);
        try
        {
            var schema = await connection.ExecuteScalarAsync<string>("SELECT current_schema()");
            await connection.ExecuteAsync("SET application_name TO 'nzbdav listener'");
            await connection.ExecuteAsync($"LISTEN \"{ChannelPrefix}{schema}\"");
            return (connection, await TryLeadAsync(connection));
        }
        catch
        {
            await connection.DisposeAsync();
            throw;
        }
    }

    private static Task<bool> TryLeadAsync(NpgsqlConnection connection) =>
        connection.ExecuteScalarAsync<bool>($"SELECT pg_try_advisory_lock({LeadingLock}, hashtext(current_schema()))");

    private async Task RunAsync(NpgsqlConnection? connection)
    {
        while (true)
        {
            try
            {
                if (connection is null)
                {
                    (connection, _isLeading) = await OpenAsync(_source, _stop.Token);
                    _onNoticesLost();
                }

                connection.Notification += Receive;
                while (true)
                {
                    if (_isLeading)
                        await connection.WaitAsync(_stop.Token);
                    else if (!await connection.WaitAsync(LeadCheckInterval, _stop.Token))
                        _isLeading = await TryLeadAsync(connection);
                }
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                await DropAsync(connection);
                return;
            }
            catch (Exception error)
                when (error is NpgsqlException or SocketException or IOException or TimeoutException or InvalidOperationException)
            {
                // The server is unreachable. Readers and writers report that; this only waits for it.
                await DropAsync(connection);
                connection = null;
            }

            try
            {
                await Task.Delay(Pause, _time, _stop.Token);
            }
            catch (OperationCanceledException)
            {
                return;
            }
        }
    }

    private async ValueTask DropAsync(NpgsqlConnection? connection)
    {
        _isLeading = false;
        if (connection is null)
            return;
        connection.Notification -= Receive;
        await connection.DisposeAsync();
    }

    private void Receive(object sender, NpgsqlNotificationEventArgs notification)
    {
        if (CatalogNotice.Unpack(_self, notification.Payload) is not { } notices)
            _onNoticesLost();
        else if (notices.Count > 0)
            _onNotices(notices);
    }
}
