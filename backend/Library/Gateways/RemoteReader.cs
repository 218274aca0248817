using System.Net;
using System.Net.Http.Headers;
using System.Text;
using NzbDav.Content;

namespace NzbDav.Library.Gateways;

/// <summary>
/// Reads a range of a file from another gateway: one request for all of it, which begins with the first read. After a failure the next read sends a new request for the rest. The other gateway
/// ends a response only with verified bytes, so all of them count as verified.
/// </summary>
internal sealed class RemoteReader(RemoteContent content, long start, long end) : ContentReader
{
    /// <summary>Most bytes lent at once: a read of a socket seldom returns more.</summary>
    private const int MostLease = 128 << 10;

    /// <summary>Bytes of a refusal that are read for its reason.</summary>
    private const int MostReason = 512;

    private long _position = start;
    private HttpResponseMessage? _response;
    private Stream? _body;
    private CancellationTokenSource? _limit;
    private bool _disposed;

    /// <inheritdoc/>
    public override long Position => Volatile.Read(ref _position);

    /// <inheritdoc/>
    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        cancellationToken.ThrowIfCancellationRequested();
        if (_position == end)
            return ContentLease.Empty;

        // A caller that gave up during the last read may have fired it afterwards.
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
            throw Unavailable(error is OperationCanceledException ? "sent nothing for too long" : $"does not send it: {error.Message}", error);
        }
    }

    /// <inheritdoc/>
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
            throw Unavailable($"sends another range than bytes {_position}-{end - 1}/{content.Length} ({headers.ContentRange}, {headers.ContentLength} bytes)");
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
        new(ContentFault.Unavailable, $"Another gateway has the torrent of this file ({content.File.Gateway}), and it {what.TrimEnd('.')}.", cause);

    /// <summary>Drops the response. One that has not ended is stopped, as its connection closes.</summary>
    private void End()
    {
        _response?.Dispose();
        _limit?.Dispose();
        (_response, _body, _limit) = (null, null, null);
    }
}
