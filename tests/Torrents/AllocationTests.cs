using System.Buffers.Binary;
using System.Net;
using NzbDav.Content;
using NzbDav.MockSwarm.Contents;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Pieces;
using NzbDav.Torrents.Settings;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Tests.Hostile;
using NzbDav.Torrents.Wire;

namespace NzbDav.Torrents.Tests;

/// <summary>A block is requested, received, stored and counted without an allocation, on one thread and without a socket.</summary>
public sealed class AllocationTests
{
    private const int BlockSize = 16 << 10;
    private const int PieceLength = 16 << 20;
    private const int Blocks = PieceLength / BlockSize;

    [Fact]
    public async Task Receiving_a_block_allocates_nothing()
    {
        var content = SwarmFixture.OneFile(PieceLength, PieceLength);
        var options = new TorrentOptions { Workers = 1, Listen = null };
        var seeder = new SeederTransport(content);
        await using var engine = new TorrentEngine(
            options, TimeProvider.System, metrics: null, pool: null, new OneDialer(seeder), new HashCheck());
        var torrent = engine.Add(Metainfo.Read(content.TorrentFile()).Value!);
        await using var reader = torrent.Open((await torrent.DescribeAsync(default)).Files[0])
            .OpenReader(0, PieceLength, ReadIntent.Playback);
        torrent.AddPeers([seeder.Remote]);
        using var lease = await reader.NextAsync(default);

        Assert.Equal(Blocks, seeder.Served);
        Assert.True(seeder.Watched > Blocks / 4, $"{seeder.Watched} blocks were watched");

        // Now and then the thread does something else between two blocks. An allocation for each block, or for each of a dozen, shows.
        Assert.True(seeder.Allocating <= seeder.Watched / 20, $"{seeder.Allocating} of {seeder.Watched} blocks allocated");
    }

    private sealed class OneDialer(SeederTransport seeder) : ITransportDialer
    {
        private int _dialled;

        public ValueTask<ITransport?> ConnectAsync(DialTarget target, CancellationToken cancellationToken) =>
            ValueTask.FromResult<ITransport?>(Interlocked.Exchange(ref _dialled, 1) == 0 ? seeder : null);
    }

    /// <summary>A seeder without a socket. Answers each request in the next receive on the same thread, and watches what that thread
    /// allocates in between.</summary>
    private sealed class SeederTransport : ITransport
    {
        private readonly MockTorrent _torrent;
        private readonly Lock _gate = new();
        private readonly Queue<(int Piece, int Begin)> _asked = new(4_096);
        private TaskCompletionSource _more = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private byte[] _words = [];
        private bool _closed;
        private int _thread;
        private long _before;

        public SeederTransport(MockTorrent torrent) => _torrent = torrent;

        public IPEndPoint Remote { get; } = new(IPAddress.Loopback, 9);

        public PeerEncryption Encryption => PeerEncryption.None;

        public bool IsUtp => false;

        public bool HandshakeSent => false;

        public int Served { get; private set; }

        /// <summary>
        /// Blocks after which the same thread came for the next one. Excludes the start, when queues grow and code runs for the first time.
        /// </summary>
        public int Watched { get; private set; }

        /// <summary>Those of <see cref="Watched"/> after which the thread allocated something.</summary>
        public int Allocating { get; private set; }

        public ValueTask<int> ReceiveAsync(Memory<byte> buffer)
        {
            lock (_gate)
                return Fill(buffer.Span) is var length and > 0 ? ValueTask.FromResult(length) : new ValueTask<int>(WaitAsync(buffer));
        }

        public async ValueTask ReadyAsync()
        {
            while (true)
            {
                Task more;
                lock (_gate)
                {
                    if (_closed)
                        throw new IOException("Closed.");
                    if (_words.Length > 0 || _asked.Count > 0)
                        return;
                    if (_more.Task.IsCompleted)
                        _more = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                    more = _more.Task;
                }

                await more;
            }
        }

        public ValueTask SendAsync(Memory<byte> buffer)
        {
            lock (_gate)
            {
                for (var bytes = buffer.Span; bytes.Length > 4;)
                {
                    var length = bytes[0] == 19 ? 64 : BinaryPrimitives.ReadInt32BigEndian(bytes);
                    if (bytes[0] == 19)
                        _words = [.. HostilePeer.Handshake(_torrent.Hash.Span), .. HostilePeer.Message(14), .. HostilePeer.Message(1)];
                    else if (bytes[4] == 6)
                        _asked.Enqueue((BinaryPrimitives.ReadInt32BigEndian(bytes[5..]), BinaryPrimitives.ReadInt32BigEndian(bytes[9..])));
                    bytes = bytes[(4 + length)..];
                }

                _more.TrySetResult();
            }

            return ValueTask.CompletedTask;
        }

        public void Gather(int bytes)
        {
        }

        public void Dispose()
        {
            lock (_gate)
            {
                _closed = true;
                _more.TrySetResult();
            }
        }

        private async Task<int> WaitAsync(Memory<byte> buffer)
        {
            while (true)
            {
                Task more;
                lock (_gate)
                {
                    if (_closed)
                        throw new IOException("Closed.");
                    if (Fill(buffer.Span) is var length and > 0)
                        return length;
                    if (_more.Task.IsCompleted)
                        _more = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                    more = _more.Task;
                }

                await more;
            }
        }

        private int Fill(Span<byte> buffer)
        {
            if (_words.Length > 0)
            {
                var length = _words.Length;
                _words.CopyTo(buffer);
                _words = [];
                return length;
            }

            if (!_asked.TryDequeue(out var asked))
                return 0;
            var message = buffer[..(BlockSize + 13)];
            BinaryPrimitives.WriteInt32BigEndian(message, BlockSize + 9);
            message[4] = 7;
            BinaryPrimitives.WriteInt32BigEndian(message[5..], asked.Piece);
            BinaryPrimitives.WriteInt32BigEndian(message[9..], asked.Begin);
            _torrent.Content.Fill(asked.Begin, message[13..]);
            var now = GC.GetAllocatedBytesForCurrentThread();
            if (Served > Blocks / 2 && _thread == Environment.CurrentManagedThreadId)
            {
                Watched++;
                Allocating += now > _before ? 1 : 0;
            }

            Served++;
            _thread = Environment.CurrentManagedThreadId;
            _before = GC.GetAllocatedBytesForCurrentThread();
            return message.Length;
        }
    }
}
