using NzbDav.Content;

namespace NzbDav.Library.Gateways;

/// <summary>The bytes of a file that another gateway serves over HTTP. Thread-safe.</summary>
/// <param name="file">The file.</param>
/// <param name="client">Sends the requests. Must follow no redirects, decompress nothing, and close the connection of a response that is disposed early.</param>
/// <param name="pool">Lends buffers.</param>
/// <param name="time">Clock for <paramref name="patience"/>.</param>
/// <param name="patience">Longest wait for a response or for more of it. The other gateway waits for peers, so it should be longer than a reader waits there.</param>
internal sealed class RemoteContent(RemoteFile file, HttpClient client, BufferPool pool, TimeProvider time, TimeSpan patience) : IContent
{
    /// <inheritdoc/>
    public long Length => file.Length;

    internal RemoteFile File => file;

    internal BufferPool Pool => pool;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        return new RemoteReader(this, start, end);
    }

    internal Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken) =>
        client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, cancellationToken);

    /// <summary>A source that fires after <see cref="Wait"/>.</summary>
    internal CancellationTokenSource NewLimit() => new(patience, time);

    /// <summary>Starts the wait anew.</summary>
    internal void Wait(CancellationTokenSource limit) => limit.CancelAfter(patience);
}
