using System.Net;
using System.Net.Http.Headers;
using NzbDav.TorrentTester.Findings;

namespace NzbDav.TorrentTester.Processes;

/// <summary>One GET of a range over WebDAV, read piece by piece and compared.</summary>
internal sealed class DavReader : IAsyncDisposable
{
    private readonly HttpResponseMessage _response;
    private readonly Stream _body;
    private readonly ByteCheck _check;
    private readonly byte[] _buffer = new byte[256 << 10];

    private DavReader(HttpResponseMessage response, Stream body, ByteCheck check, long start)
    {
        _response = response;
        _body = body;
        _check = check;
        Position = start;
    }

    /// <summary>Offset of the next byte.</summary>
    public long Position { get; private set; }

    /// <param name="http">The server's client.</param>
    /// <param name="path">Path of the file.</param>
    /// <param name="start">First byte.</param>
    /// <param name="end">One past the last byte; null = to the end.</param>
    /// <param name="check">Compares the bytes.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<DavReader> OpenAsync(
        HttpClient http, string path, long start, long? end, ByteCheck check, CancellationToken cancellationToken)
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.Range = new RangeHeaderValue(start, end - 1);
        var response = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);
        if (response.StatusCode == HttpStatusCode.PartialContent && response.Content.Headers.ContentRange?.From == start)
            return new DavReader(response, await response.Content.ReadAsStreamAsync(cancellationToken), check, start);
        var said = await response.Content.ReadAsStringAsync(cancellationToken);
        response.Dispose();
        throw new InvalidDataException($"GET from {start}: {response.StatusCode} {said}");
    }

    /// <summary>Reads the next bytes; false at the end.</summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <param name="compare">False if the cost of comparing would distort a measurement.</param>
    public async ValueTask<bool> NextAsync(CancellationToken cancellationToken, bool compare = true)
    {
        var read = await _body.ReadAsync(_buffer, cancellationToken);
        if (compare)
            _check.Verify(Position, _buffer.AsSpan(0, read));
        Position += read;
        return read > 0;
    }

    /// <summary>Reads to the end.</summary>
    public async Task DrainAsync(CancellationToken cancellationToken)
    {
        while (await NextAsync(cancellationToken))
        {
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _body.DisposeAsync();
        _response.Dispose();
    }
}
