using System.Runtime.CompilerServices;
using NzbDav.Content;

namespace NzbDav.Library.Gateways;

/// <summary>The bytes of an <see cref="OwnedTorrent"/>. Each reader finds out by itself where they are. Thread-safe.</summary>
/// <param name="torrent">The file.</param>
/// <param name="forwards">False: readers never ask another gateway.</param>
internal sealed class OwnedContent(OwnedTorrent torrent, bool forwards) : IContent
{
    /// <inheritdoc/>
    public long Length => torrent.Length;

    /// <inheritdoc/>
    public ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(start);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(end, Length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(start, end);
        return new OwnedReader(torrent, forwards, start, end, intent);
    }
}

/// <summary>
/// Reads a range of a torrent's file from where it is. If the owner of the torrent changes meanwhile or does not answer, it looks once more where the file is, and goes on there.
/// </summary>
internal sealed class OwnedReader : DelegatingReader
{
    private readonly OwnedTorrent _torrent;
    private readonly bool _forwards;
    private readonly long _end;
    private readonly ReadIntent _intent;
    private bool _isSwarm;
    private long _position;
    private bool _disposed;

    public OwnedReader(OwnedTorrent torrent, bool forwards, long start, long end, ReadIntent intent)
    {
        (_torrent, _forwards, _position, _end, _intent) = (torrent, forwards, start, end, intent);
        if (torrent.TryOpen() is { } swarm)
            Begin(swarm, isSwarm: true);
    }

    /// <inheritdoc/>
    public override long Position => Inner?.Position ?? Volatile.Read(ref _position);

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        for (var isSecond = false; ; isSecond = true)
        {
            try
            {
                if (Inner is null)
                {
                    var (content, isSwarm) = await _torrent.OpenAsync(_forwards, cancellationToken);
                    Begin(content, isSwarm);
                }

                return await Inner!.NextAsync(cancellationToken);
            }
            catch (Exception error) when (Inner is not null && IsElsewhere(error))
            {
                await EndAsync();
                _torrent.Doubt();
                if (isSecond && error is ContentException)
                    throw;
                if (isSecond)
                    throw new ContentException(ContentFault.Unavailable, "The torrent was closed.", error);
            }
        }
    }

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (_disposed)
            return;
        _disposed = true;
        await EndAsync();
    }

    private void Begin(IContent content, bool isSwarm)
    {
        _isSwarm = isSwarm;
        Inner = content.OpenReader(_position, _end, _intent);
    }

    /// <summary>True if the bytes may be elsewhere: the other gateway failed, or this one is the owner no longer.</summary>
    private bool IsElsewhere(Exception error) => _isSwarm ? (error is ContentException or ObjectDisposedException) && !_torrent.IsOwned : error is ContentException;

    private async ValueTask EndAsync()
    {
        if (Inner is not { } reader)
            return;
        Volatile.Write(ref _position, reader.Position);
        Inner = null;
        await reader.DisposeAsync();
    }
}
