using System.Buffers.Binary;
using NzbDav.Fuzz.Contract;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Fuzz.Formats;

/// <summary>
/// The encryption handshake, from the dialling and the answering side. The other side takes part in the key exchange correctly, so that the
/// parser understands the input, which follows it. The first byte selects our side, the second the length of the padding after the other
/// side's key.
/// </summary>
internal sealed class EncryptionTarget() : FuzzTarget("encryption", "The encryption handshake of peers")
{
    private static readonly InfoHash Torrent = InfoHash.Of([1]);

    private readonly KeyExchange _theirs = new();

    public override int Longest { get; init; } = 2 << 10;

    /// <summary>Both sides draw random keys and padding, so results cannot be compared.</summary>
    public override bool IsCut => false;

    public override IReadOnlyList<byte[]> Words { get; } = [new byte[8], [0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 3, 0, 0], [2, 0], [2, 1],
        [0, 68], [0xFF, 0xFF], Text("\u0013BitTorrent protocol")];

    /// <summary>The key exchange computes with numbers of 768 bits.</summary>
    public override long MostAllocated(int length) => 4 << 20;

    /// <summary>Sets the verification constant of zeros: with any other value the handshake ends at once.</summary>
    public override void Mend(byte[] input, Random random)
    {
        if (input.Length < 16)
            return;
        input.AsSpan(2, 8).Clear();
        if (random.Next(2) == 0)
            BinaryPrimitives.WriteUInt16BigEndian(input.AsSpan(14), (ushort)random.Next(514));
    }

    public override object? Run(byte[] input, Cuts cuts)
    {
        if (input.Length < 2)
            return null;
        var dials = input[0] % 2 == 1;
        var isFirst = true;
        PipeTransport? transport = null;
        transport = new PipeTransport(new Cuts(CutKind.Mixed, input[1])) { OnSent = Hear };
        using var ours = transport;
        if (!dials)
            transport.Say([.. _theirs.PublicKey, .. new byte[input[1]]]);
        var hashes = new DisguisedHashes();
        hashes.Add(Torrent);
        var greeting = new Handshake(Torrent, InfoHash.Of([2]), Fast: true, Extensions: true);
        using var queue = new KeyExchangeQueue();
        var handshake = new StreamHandshake(queue);
        using var opened = Synchronously.Wait(dials
            ? handshake.OpenAsync(transport, greeting, CryptoMethods.Plain | CryptoMethods.Rc4, CancellationToken.None)
            : handshake.AnswerAsync(transport, default, hashes, CryptoMethods.Plain | CryptoMethods.Rc4, CancellationToken.None));
        if (opened is null)
            return "refused";
        var rest = new byte[input.Length + 1];
        var length = 0;
        while (length < rest.Length && Synchronously.Wait(opened.ReceiveAsync(rest.AsMemory(length))) is > 0 and var count)
            length += count;
        BrokenPromiseException.ThrowUnless(length <= input.Length, "No more bytes are received than were sent.");
        return $"{opened.Encryption} {length}";

        // Our key determines the shared secret, which encrypts everything after it.
        void Hear(ReadOnlyMemory<byte> sent)
        {
            if (!isFirst)
                return;
            isFirst = false;
            var secret = new byte[KeyExchange.Size];
            BrokenPromiseException.ThrowUnless(
                sent.Length >= KeyExchange.Size && _theirs.TryAgree(sent.Span[..KeyExchange.Size], secret), "Our key is valid.");
            var hidden = input[2..];
            StreamKeys.Cipher(ofDialler: !dials, secret, Torrent).Process(hidden);
            if (dials)
            {
                transport!.Say([.. _theirs.PublicKey, .. new byte[input[1]], .. hidden]);
                return;
            }

            var mark = new byte[2 * StreamKeys.HashSize];
            StreamKeys.WriteReq1(secret, mark);
            StreamKeys.Disguise(Torrent).CopyTo(mark.AsSpan(StreamKeys.HashSize));
            StreamKeys.XorReq3(secret, mark.AsSpan(StreamKeys.HashSize));
            transport!.Say([.. mark, .. hidden]);
        }
    }
}
