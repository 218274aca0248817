using System.Globalization;
using System.Net.Sockets;

namespace NzbDav.Usenet.Checks;

/// <summary>
/// Measures how fast articles arrive over several connections, for at most five seconds or 20 MB. The bytes are discarded.
/// </summary>
internal sealed class SpeedCheck(IReadOnlyList<CheckedConnection> connections, IReadOnlyList<string> articles, TimeProvider time)
{
    /// <summary>Most articles to request: twice as many as 20 MB need at the usual 700 KB.</summary>
    public const int MostArticles = 64;

    private const long MostBytes = 20_000_000;

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(5);

    private int _next;
    private int _missing;
    private int _found;
    private int _used;
    private long _bytes;
    private long _last;

    /// <returns>Bytes per second (null if no article was found), and a sentence.</returns>
    public async Task<(double? Rate, string Message)> RunAsync(CancellationToken cancellationToken)
    {
        using var limit = new CancellationTokenSource(Limit, time);
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, limit.Token);
        var began = _last = time.GetTimestamp();
        await Task.WhenAll(connections.Select(connection => ReadAsync(connection, both.Token)));
        cancellationToken.ThrowIfCancellationRequested();
        if (_bytes == 0)
            return (null,
                _missing > 0
                ? $"Not measured: none of {_missing} articles of your library is on this server."
                : "Not measured: no article came within five seconds.");
        var seconds = Math.Max(0.001, time.GetElapsedTime(began, _last).TotalSeconds);
        var rate = _bytes / seconds;
        var missing = _missing == 0
            ? "" : string.Create(CultureInfo.InvariantCulture, $" {_missing} of {_missing + _found} articles are not there.");
        return (rate, string.Create(CultureInfo.InvariantCulture,
            $"{rate / 1e6:0.0} MB/s: {_bytes / 1e6:0.0} MB over {_used} connections in {seconds:0.0} s.{missing}"));
    }

    /// <summary>Keeps two requests under way, so that the line is not idle for a round trip between two articles.</summary>
    private async Task ReadAsync(CheckedConnection connection, CancellationToken cancellationToken)
    {
        try
        {
            connection.IsBusy = true;
            var underWay = 0;
            for (var i = 0; i < 2 && await SendNextAsync(connection, cancellationToken); i++)
                underWay++;
            if (underWay > 0)
                Interlocked.Increment(ref _used);
            while (underWay > 0)
            {
                var answer = await connection.Lines.NextAsync(cancellationToken);
                if (answer.Code == 222)
                {
                    await connection.Lines.SkipBlockAsync(Received, cancellationToken);
                    Interlocked.Increment(ref _found);
                }
                else if (answer.Code is 430 or 423 or 420 or 451)
                {
                    Interlocked.Increment(ref _missing);
                }
                else
                {
                    return;
                }

                underWay--;
                if (await SendNextAsync(connection, cancellationToken))
                    underWay++;
            }

            connection.IsBusy = false;
        }
        catch (Exception error) when (error is IOException or SocketException or OperationCanceledException)
        {
            // The other connections continue, and the bytes received so far count.
        }
    }

    private async ValueTask<bool> SendNextAsync(CheckedConnection connection, CancellationToken cancellationToken)
    {
        var next = Interlocked.Increment(ref _next) - 1;
        if (next >= articles.Count || Interlocked.Read(ref _bytes) >= MostBytes)
            return false;
        await connection.Lines.SendAsync($"BODY <{articles[next]}>\r\n", cancellationToken);
        return true;
    }

    private void Received(int bytes)
    {
        Interlocked.Add(ref _bytes, bytes);
        Interlocked.Exchange(ref _last, time.GetTimestamp());
    }
}
