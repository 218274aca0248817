using System.Buffers.Binary;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Encryption;

/// <summary>Dials and sends a third handshake message chosen by the test.</summary>
internal sealed class ScriptedDialler(PairedTransport transport, InfoHash hash)
{
    private readonly KeyExchange _exchange = new();
    private readonly byte[] _secret = new byte[KeyExchange.Size];

    public async Task AgreeAsync()
    {
        await transport.SendAsync(_exchange.PublicKey.ToArray());
        Assert.True(_exchange.TryAgree(await transport.ReadAsync(KeyExchange.Size), _secret));
    }

    public async Task OfferAsync(CryptoMethods offered, byte constant = 0, int padding = 3, byte[]? initial = null,
        int? initialLength = null, byte[]? following = null, bool encrypted = true)
    {
        initial ??= [];
        var plain = new byte[8 + 6 + padding + 2 + initial.Length];
        plain[7] = constant;
        BinaryPrimitives.WriteUInt32BigEndian(plain.AsSpan(8), (uint)offered);
        BinaryPrimitives.WriteUInt16BigEndian(plain.AsSpan(12), (ushort)padding);
        BinaryPrimitives.WriteUInt16BigEndian(plain.AsSpan(14 + padding), (ushort)(initialLength ?? initial.Length));
        initial.CopyTo(plain, 16 + padding);
        var cipher = StreamKeys.Cipher(ofDialler: true, _secret, hash);
        cipher.Process(plain);
        var rest = (following ?? []).ToArray();
        if (encrypted)
            cipher.Process(rest);
        var marks = new byte[40];
        StreamKeys.WriteReq1(_secret, marks);
        StreamKeys.Disguise(hash).CopyTo(marks.AsSpan(20));
        StreamKeys.XorReq3(_secret, marks.AsSpan(20));
        await transport.SendAsync((byte[])[.. new byte[17], .. marks, .. plain, .. rest]);
    }
}
