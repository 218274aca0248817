using System.Net;
using System.Net.Http.Headers;
using System.Text;
using NzbDav.Content;

namespace NzbDav.Library.Gateways;

/// <summary>The bytes of a file that another gateway serves over HTTP. Thread-safe.</summary>
/// <param name="file">The file.</param>
/// <param name="client">Sends the requests. Must not follow redirects or decompress, and must close the connection of a response that is
/// disposed early.</param>
/// <param name="pool">Lends buffers.</param>
/// <param name="time">Clock for <paramref name="maxWait"/>.</param>
/// <param name="maxWait">Longest wait for a response and for each read. Should be longer than a reader of the other gateway waits for
/// peers.</param>
internal sealed class RemoteContent(RemoteFile file, HttpClient client, BufferPool pool, TimeProvider time, TimeSpan maxWait) : IContent
{
    public long Length => file.Length;

    internal RemoteFile File => file;

    internal BufferPool Pool => pool;

    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ContentRange.ThrowIfOutside(start, end, Length);
        return new RemoteReader(this, start, end);
    }

    internal Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
        client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);

    /// <summary>A time limit for one read. Starts at once; <see cref="Wait"/> restarts it.</summary>
    internal CancellationTokenSource NewLimit() => new(maxWait, time);

    /// <summary>Restarts the time limit.</summary>
    internal void Wait(CancellationTokenSource limit) => limit.CancelAfter(maxWait);
}

/// <summary>
/// Reads a range of a file from another gateway, by one request for the whole range that is sent with the first read. After a failure the
/// next read requests the rest. The other gateway sends only verified bytes before it ends a response, so all bytes count as verified.
/// </summary>
internal sealed class RemoteReader(RemoteContent content, long start, long end) : ContentReader
{
    /// <summary>Most bytes lent at once: a read of a socket seldom returns more.</summary>
    private const int MostLease = 128 << 10;

    /// <summary>How much of a refusal's body is read for its reason, in bytes.</summary>
    private const int MostReason = 512;

    private long _position = start;
    private HttpResponseMessage? _response;
    private Stream? _body;
    private CancellationTokenSource? _limit;
    private bool _disposed;

    public override long Position => Volatile.Read(ref _position);

    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        if (_position == end)
            return ContentLease.Empty;

        // The cancellation of an earlier read may have fired after that read returned.
        if (_limit is { IsCancellationRequested: true })
            End();
        var limit = _limit ??= content.NewLimit();
        content.Wait(limit);
        try
        {
            await using (cancellationToken.UnsafeRegister(static self => ((CancellationTokenSource)self!).Cancel(), limit))
            {
                _body ??= await BeginAsync(limit.Token);
                var lease = await ReadAsync(_body, limit.Token);
                limit.CancelAfter(Timeout.InfiniteTimeSpan);
                return lease;
            }
        }
        catch (ContentException)
        {
            End();
            throw;
        }
        catch (Exception error) when (error is HttpRequestException or IOException or OperationCanceledException)
        {
            End();
            cancellationToken.ThrowIfCancellationRequested();
            throw Unavailable(
                error is OperationCanceledException ? "sent nothing for too long" : $"does not send it: {error.Message}", error);
        }
    }

    public override ValueTask DisposeAsync()
    {
        _disposed = true;
        End();
        return ValueTask.CompletedTask;
    }

    private async Task<Stream> BeginAsync(CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, content.File.Link);
        request.Headers.Range = new RangeHeaderValue(_position, end - 1);
        var response = _response = await content.SendAsync(request, cancellationToken);
        if (response.StatusCode != HttpStatusCode.PartialContent)
            throw Unavailable($"answers {(int)response.StatusCode}: {await ReadReasonAsync(response, cancellationToken)}");
        var headers = response.Content.Headers;
        if (headers.ContentRange is not { Unit: "bytes", From: { } from, To: { } to, Length: { } length }
            || (from, to, length) != (_position, end - 1, content.Length)
            || headers.ContentLength != end - _position
            || headers.ContentEncoding.Count > 0)
        {
            throw Unavailable(
                $"sends another range than bytes {_position}-{end - 1}/{content.Length} ({headers.ContentRange}, {headers.ContentLength} " +
                $"bytes)");
        }

        return await response.Content.ReadAsStreamAsync(cancellationToken);
    }

    private async ValueTask<ContentLease> ReadAsync(Stream body, CancellationToken cancellationToken)
    {
        var wanted = (int)Math.Min(MostLease, end - _position);
        content.Pool.Budget.Reserve(BufferPool.ClassOf(wanted));
        var buffer = content.Pool.Rent(wanted);
        try
        {
            var count = await body.ReadAsync(buffer.Memory[..wanted], cancellationToken);
            if (count == 0)
                throw Unavailable($"sent {end - _position} bytes too few");
            Volatile.Write(ref _position, _position + count);
            return ContentLease.Of(buffer, 0, count);
        }
        finally
        {
            buffer.Release();
        }
    }

    private static async Task<string> ReadReasonAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        if (response.Content.Headers.ContentType?.MediaType != "text/plain")
            return response.ReasonPhrase ?? "";
        var text = new byte[MostReason];
        await using var body = await response.Content.ReadAsStreamAsync(cancellationToken);
        var count = await body.ReadAtLeastAsync(text, text.Length, throwOnEndOfStream: false, cancellationToken);
        return Encoding.UTF8.GetString(text, 0, count).TrimEnd();
    }

    private ContentException Unavailable(string what, Exception? cause = null) =>
        new(ContentFault.Unavailable, $"Another gateway has the torrent of this file ({content.File.Gateway}), and it {what.TrimEnd('.')}.",
            cause);

    /// <summary>Drops the response. If it has not ended, its connection closes, which stops the other gateway.</summary>
    private void End()
    {
        _response?.Dispose();
        _limit?.Dispose();
        (_response, _body, _limit) = (null, null, null);
    }
}

/// <summary>A file that another gateway serves.</summary>
/// <param name="Link">Its address there. Signed, so it needs no password.</param>
/// <param name="Length">Its size in bytes.</param>
/// <param name="Gateway">Address of the gateway, for messages.</param>
internal sealed record RemoteFile(Uri Link, long Length, string Gateway);
