using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using NzbDav.Torrents.Metadata;
using NzbDav.TorrentTester.Findings;

namespace NzbDav.TorrentTester.Stages;

/// <summary>
/// A cheap leecher: requests one block after the other, keeps 256 requests (4 MiB) outstanding, and counts what arrives. It neither hashes
/// nor stores anything. One thread.
/// </summary>
internal sealed class UploadLeecher : IDisposable
{
    private const int Block = 16 << 10;
    private const int Ahead = 256;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    private readonly byte[] _buffer = new byte[512 << 10];
    private readonly TorrentInfo _info;
    private readonly ByteCheck? _check;
    private readonly Queue<(int Piece, int Begin)> _rejected = new();
    private long _next;
    private long _received;
    private int _asked;
    private bool _isServed;

    /// <param name="info">The torrent.</param>
    /// <param name="first">The first piece to request.</param>
    /// <param name="check">Compares every byte; null = nothing is compared.</param>
    public UploadLeecher(TorrentInfo info, int first, ByteCheck? check)
    {
        _info = info;
        _next = (long)first * info.PieceLength;
        _check = check;
    }

    /// <summary>Bytes of blocks received. Thread-safe.</summary>
    public long Received => Interlocked.Read(ref _received);

    /// <summary>Downloads until the socket is closed by <see cref="Dispose"/>, or until this many bytes have arrived.</summary>
    /// <exception cref="InvalidDataException">The seeder sent something wrong, or closed the connection.</exception>
    public void Run(IPEndPoint seeder, long most)
    {
        _socket.Connect(seeder);
        Span<byte> hello = stackalloc byte[68 + 5 + 5];
        hello.Clear();
        hello[0] = 19;
        "BitTorrent protocol"u8.CopyTo(hello[1..]);

        // Reserved bits: BEP 6. Then have none, and interested.
        hello[27] = 4;
        _info.Hash.CopyTo(hello[28..]);
        Random.Shared.NextBytes(hello.Slice(48, 20));
        hello[71] = 1;
        hello[72] = 15;
        hello[76] = 1;
        hello[77] = 2;
        _socket.Send(hello);
        var filled = 0;
        var greeted = false;
        while (Received < most)
        {
            var count = _socket.Receive(_buffer, filled, _buffer.Length - filled, SocketFlags.None);
            if (count == 0)
                throw new InvalidDataException("The seeder hung up.");
            filled += count;
            var taken = 0;
            if (!greeted && filled >= 68)
            {
                greeted = true;
                taken = 68;
            }

            while (greeted && filled - taken >= 4 && BinaryPrimitives.ReadInt32BigEndian(_buffer.AsSpan(taken)) is var length
                && filled - taken >= 4 + length)
            {
                if (length > 0)
                    Take(_buffer.AsSpan(taken + 4, length));
                taken += 4 + length;
            }

            _buffer.AsSpan(taken, filled - taken).CopyTo(_buffer);
            filled -= taken;
            Ask();
        }
    }

    public void Dispose() => _socket.Dispose();

    private void Take(ReadOnlySpan<byte> message)
    {
        switch (message[0])
        {
            case 0:
                _isServed = false;
                break;
            case 1:
                _isServed = true;
                break;
            case 7:
                _asked--;
                _check?.Verify(((long)BinaryPrimitives.ReadInt32BigEndian(message[1..]) * _info.PieceLength)
                    + BinaryPrimitives.ReadInt32BigEndian(message[5..]), message[9..]);
                Interlocked.Add(ref _received, message.Length - 9);
                break;
            case 16:
                _asked--;
                _rejected.Enqueue((BinaryPrimitives.ReadInt32BigEndian(message[1..]), BinaryPrimitives.ReadInt32BigEndian(message[5..])));
                break;
        }
    }

    /// <summary>Sends requests in batches, as clients do.</summary>
    private void Ask()
    {
        if (!_isServed || _asked > Ahead - (Ahead / 8))
            return;
        Span<byte> requests = stackalloc byte[17 * Ahead];
        var size = 0;
        for (; _asked < Ahead; _asked++, size += 17)
        {
            if (!_rejected.TryDequeue(out var block))
            {
                block = ((int)(_next / _info.PieceLength), (int)(_next % _info.PieceLength));

                // Without the last piece, which may be shorter.
                _next = (_next + Block) % ((long)(_info.PieceCount - 1) * _info.PieceLength);
            }

            var request = requests.Slice(size, 17);
            BinaryPrimitives.WriteInt32BigEndian(request, 13);
            request[4] = 6;
            BinaryPrimitives.WriteInt32BigEndian(request[5..], block.Piece);
            BinaryPrimitives.WriteInt32BigEndian(request[9..], block.Begin);
            BinaryPrimitives.WriteInt32BigEndian(request[13..], Block);
        }

        _socket.Send(requests[..size]);
    }
}
