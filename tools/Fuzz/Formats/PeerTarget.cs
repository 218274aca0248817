using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using NzbDav.Content.Checksums;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Wire;

namespace NzbDav.Fuzz.Formats;

/// <summary>A peer's messages, from its handshake on (BEP 3, 6, 10).</summary>
internal sealed class PeerTarget() : FuzzTarget("peer", "The peer wire protocol")
{
    private const int PieceLength = 32 << 10;

    public override IReadOnlyList<byte[]> Words { get; } =
    [
        Text("\u0013BitTorrent protocol"), [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 13, 6], [0, 0, 0, 9, 7], [0, 0, 0, 5, 4],
        [0, 0, 0, 2, 20, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0, 0, 0x40, 0x09, 7],
    ];

    /// <summary>Corrects most of the messages' lengths.</summary>
    public override void Mend(byte[] input, Random random)
    {
        if (input.Length > Handshake.Size && random.Next(8) != 0)
            "\u0013BitTorrent protocol"u8.CopyTo(input);
        for (var at = Handshake.Size; at + 4 <= input.Length;)
        {
            var length = BinaryPrimitives.ReadUInt32BigEndian(input.AsSpan(at));
            if (length > (uint)(input.Length - at - 4) && random.Next(8) != 0)
            {
                length = (uint)random.Next(Math.Min(40, input.Length - at - 3));
                BinaryPrimitives.WriteUInt32BigEndian(input.AsSpan(at), length);
            }

            at += 4 + (int)Math.Min(length, int.MaxValue / 2);
            if (at < 0)
                return;
        }
    }

    public override object? Run(byte[] input, Cuts cuts)
    {
        using var transport = new PipeTransport(cuts);
        transport.Say(input);
        var listener = new Listener();
        using var connection = new PeerConnection(transport, listener, new OutboxBudget());
        Synchronously.Wait(connection.RunAsync());
        BrokenPromiseException.ThrowUnless(listener.IsClosed, "The end is reported.");
        BrokenPromiseException.ThrowUnless(listener.Received <= input.Length, "No more bytes are reported than were received.");
        return listener.Story;
    }

    /// <summary>Writes the reported events down, independently of the cuts: bytes of a block are summed up.</summary>
    private sealed class Listener : IPeerHandler
    {
        private readonly StringBuilder _said = new();
        private uint _crc;
        private int _blockLeft;

        public int MostMessage => 1 << 20;

        public bool IsIdle => false;

        public bool IsClosed { get; private set; }

        public long Received { get; private set; }

        public string Story => _said.ToString();

        public string? OnHandshake(in Handshake handshake)
        {
            _said.Append(handshake).Append('\n');
            return null;
        }

        public string? OnMessage(MessageId id, ReadOnlySpan<byte> payload)
        {
            BrokenPromiseException.ThrowUnless(_blockLeft == 0, "A block ends before the next message.");
            _said.Append(CultureInfo.InvariantCulture, $"{id} {payload.Length} {Crc32.Append(0, payload):x8}\n");
            return null;
        }

        public string? OnBlock(int piece, int begin, int length)
        {
            BrokenPromiseException.ThrowUnless(_blockLeft == 0 && length >= 0, "A block ends before the next.");
            if (piece < 0 || begin < 0 || length > PieceLength)
                return "That block is not one.";
            _said.Append(CultureInfo.InvariantCulture, $"block {piece} {begin} {length}\n");
            _blockLeft = length;
            _crc = 0;
            return null;
        }

        public void OnBlockBytes(ReadOnlySpan<byte> bytes)
        {
            BrokenPromiseException.ThrowUnless(bytes.Length <= _blockLeft, "A block has no more bytes than announced.");
            _crc = Crc32.Append(_crc, bytes);
            _blockLeft -= bytes.Length;
            if (_blockLeft == 0)
                _said.Append(CultureInfo.InvariantCulture, $"{_crc:x8}\n");
        }

        public void OnBatch(int received, int protocol)
        {
            BrokenPromiseException.ThrowUnless(protocol >= 0, "Bytes outside blocks count as protocol.");
            Received += received;
        }

        public void OnClosed(string reason)
        {
            BrokenPromiseException.ThrowUnless(!IsClosed, "The end is reported once.");
            IsClosed = true;
            _said.Append(reason);
        }
    }
}
