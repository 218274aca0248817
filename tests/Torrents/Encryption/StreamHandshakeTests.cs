using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Fakes;
using NzbDav.Torrents.Metadata;
using NzbDav.Torrents.Status;
using NzbDav.Torrents.Wire;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Encryption;

public sealed class StreamHandshakeTests : IDisposable
{
    private const CryptoMethods Both = CryptoMethods.Plain | CryptoMethods.Rc4;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly InfoHash Hash = InfoHash.Of("a torrent"u8);
    private static readonly Handshake Greeting = new(Hash, InfoHash.Of("a peer"u8), Fast: true, Extensions: true);

    private readonly KeyExchangeQueue _queue = new();
    private readonly DisguisedHashes _torrents = new();
    private readonly StreamHandshake _handshake;

    public StreamHandshakeTests()
    {
        _torrents.Add(InfoHash.Of("another torrent"u8));
        _torrents.Add(Hash);
        _handshake = new StreamHandshake(_queue);
    }

    public void Dispose() => _queue.Dispose();

    [Theory]
    [InlineData(Both, Both, PeerEncryption.Handshake)]
    [InlineData(Both, CryptoMethods.Rc4, PeerEncryption.Full)]
    [InlineData(CryptoMethods.Rc4, Both, PeerEncryption.Full)]
    [InlineData(CryptoMethods.Rc4, CryptoMethods.Rc4, PeerEncryption.Full)]
    [InlineData(CryptoMethods.Plain, Both, PeerEncryption.Handshake)]
    internal async Task Both_sides_connect_whatever_the_size_of_the_fragments(
        CryptoMethods offered, CryptoMethods allowed, PeerEncryption expected)
    {
        foreach (var step in new[] { 1, 2, 7, 96, 1_000, int.MaxValue })
        {
            var (a, b) = PairedTransport.Create(step);
            var opening = _handshake.OpenAsync(a, Greeting, offered, default).AsTask();
            using var answered = await _handshake.AnswerAsync(b, default, _torrents, allowed, default).AsTask().WaitAsync(Patience);
            using var opened = await opening.WaitAsync(Patience);
            Assert.Equal((expected, true), (opened!.Encryption, opened.HandshakeSent));
            Assert.Equal((expected, false), (answered!.Encryption, answered.HandshakeSent));

            // Our handshake went as initial payload.
            Assert.True(Handshake.TryRead(await ReadAsync(answered, Handshake.Size), out var heard));
            Assert.Equal(Greeting, heard);
            await SayAsync(answered, opened);
            await SayAsync(opened, answered);
        }
    }

    [Fact]
    public async Task Full_encryption_leaves_nothing_recognisable_on_the_wire()
    {
        var (a, b) = PairedTransport.Create();
        var opening = _handshake.OpenAsync(a, Greeting, CryptoMethods.Rc4, default).AsTask();
        using var answered = await _handshake.AnswerAsync(b, default, _torrents, Both, default);
        using var opened = await opening.WaitAsync(Patience);
        await opened!.SendAsync("BitTorrent protocol"u8.ToArray());
        await answered!.SendAsync("BitTorrent protocol"u8.ToArray());
        var hash = new byte[20];
        Hash.CopyTo(hash);
        foreach (var sent in new[] { a.Sent.ToArray(), b.Sent.ToArray() })
        {
            Assert.Equal(-1, sent.AsSpan().IndexOf("BitTorrent"u8));
            Assert.Equal(-1, sent.AsSpan().IndexOf(hash));
        }
    }

    [Fact]
    public async Task Bytes_that_arrive_right_after_the_handshake_are_not_lost()
    {
        foreach (var allowed in new[] { CryptoMethods.Rc4, CryptoMethods.Plain })
        {
            var (a, b) = PairedTransport.Create();
            var script = new ScriptedDialler(a, Hash);
            var answering = _handshake.AnswerAsync(b, default, _torrents, allowed, default).AsTask();
            await script.AgreeAsync();

            // Initial payload and what follows in one piece, before the answer is here.
            var initial = "initial payload"u8.ToArray();
            var following = "and more"u8.ToArray();
            await script.OfferAsync(
                CryptoMethods.Plain | CryptoMethods.Rc4, initial: initial, following: following, encrypted: allowed == CryptoMethods.Rc4);
            using var answered = await answering.WaitAsync(Patience);
            Assert.Equal("initial payloadand more"u8.ToArray(), await ReadAsync(answered!, 23));
        }
    }

    [Fact]
    public async Task A_peer_that_asks_for_a_torrent_that_is_not_open_is_refused()
    {
        _torrents.Remove(Hash);
        Assert.Null(await AnswerAsync(static script => script.OfferAsync(Both)));
    }

    [Fact]
    public async Task A_peer_with_a_wrong_verification_constant_is_refused() =>
        Assert.Null(await AnswerAsync(static script => script.OfferAsync(Both, constant: 1)));

    [Fact]
    public async Task A_peer_that_offers_no_allowed_method_is_refused()
    {
        Assert.Null(await AnswerAsync(static script => script.OfferAsync(CryptoMethods.Plain), CryptoMethods.Rc4));
        Assert.Null(await AnswerAsync(static script => script.OfferAsync((CryptoMethods)0x80)));
    }

    [Fact]
    public async Task A_peer_that_announces_too_much_padding_or_payload_is_refused()
    {
        Assert.Null(await AnswerAsync(static script => script.OfferAsync(Both, padding: 513)));
        Assert.Null(await AnswerAsync(static script => script.OfferAsync(Both, initialLength: 20_000)));
    }

    [Fact]
    public async Task Endless_padding_is_read_no_further_than_512_bytes()
    {
        var (a, b) = PairedTransport.Create(step: 1);
        var script = new ScriptedDialler(a, Hash);
        var answering = _handshake.AnswerAsync(b, default, _torrents, Both, default).AsTask();
        await script.AgreeAsync();
        await a.SendAsync(new byte[531]);
        Assert.False(answering.IsCompleted);
        await a.SendAsync(new byte[1]);
        Assert.Null(await answering.WaitAsync(Patience));
    }

    [Fact]
    public async Task A_weak_public_key_ends_the_handshake()
    {
        var (a, b) = PairedTransport.Create();
        await a.SendAsync(new byte[KeyExchange.Size]);
        Assert.Null(await _handshake.AnswerAsync(b, default, _torrents, Both, default).AsTask().WaitAsync(Patience));

        (a, b) = PairedTransport.Create();
        await b.SendAsync(Enumerable.Repeat((byte)255, KeyExchange.Size).ToArray());
        Assert.Null(await _handshake.OpenAsync(a, Greeting, Both, default).AsTask().WaitAsync(Patience));
    }

    [Fact]
    public async Task A_plain_answer_is_recognised_by_its_first_20_bytes()
    {
        var (a, b) = PairedTransport.Create();
        var bytes = new byte[Handshake.Size];
        Greeting.Write(bytes);
        await b.SendAsync(bytes.AsMemory(0, 20));
        Assert.Null(await _handshake.OpenAsync(a, Greeting, Both, default).AsTask().WaitAsync(Patience));
    }

    [Theory]
    [InlineData(0u, 0)]
    [InlineData(3u, 0)]
    [InlineData(1u, 0)]
    [InlineData(2u, 513)]
    internal async Task An_answer_that_selects_an_unoffered_method_or_pads_too_much_is_refused(uint selected, int padding)
    {
        var (a, b) = PairedTransport.Create();
        var opening = _handshake.OpenAsync(a, Greeting, CryptoMethods.Rc4, default).AsTask();
        await AnswerByHandAsync(b, selected, padding);
        Assert.Null(await opening.WaitAsync(Patience));
    }

    [Fact]
    public async Task An_answer_without_its_constant_is_read_no_further_than_512_bytes()
    {
        var (a, b) = PairedTransport.Create();
        var opening = _handshake.OpenAsync(a, Greeting, Both, default).AsTask();
        await b.SendAsync(new KeyExchange().PublicKey);
        await b.SendAsync(new byte[519]);
        Assert.False(opening.IsCompleted);
        await b.SendAsync(new byte[1]);
        Assert.Null(await opening.WaitAsync(Patience));
    }

    [Fact]
    public async Task A_peer_that_closes_at_any_byte_ends_the_handshake()
    {
        // All that a whole handshake says, as it was said to one that has the same keys only up to the first: the rest differs, but its
        // length does not.
        for (var length = 0; length <= KeyExchange.Size + 40; length += 7)
        {
            var (a, b) = PairedTransport.Create();
            var bytes = new byte[length];
            new KeyExchange().PublicKey.AsSpan(0, Math.Min(length, KeyExchange.Size)).CopyTo(bytes);
            await a.SendAsync(bytes);
            a.Dispose();
            await Assert.ThrowsAnyAsync<Exception>(async () =>
            {
                if (await _handshake.AnswerAsync(b, default, _torrents, Both, default).AsTask().WaitAsync(Patience) is null)
                    throw new IOException("Refused.");
            });
        }
    }

    [Fact]
    public async Task Prefer_redials_without_encryption_at_once_and_Require_does_not()
    {
        foreach (var policy in new[] { EncryptionPolicy.Prefer, EncryptionPolicy.Require })
        {
            var inner = new PairedDialer();
            var dialer = new EncryptingDialer(inner, _handshake, () => policy, new ManualTimeProvider());
            var connecting = dialer.ConnectAsync(new DialTarget(new(System.Net.IPAddress.Loopback, 1), Greeting), default).AsTask();

            // Most clients close on what they take for garbage.
            var first = await inner.Dialled.Reader.ReadAsync();
            await first.ReadAsync(KeyExchange.Size);
            first.Dispose();
            if (policy == EncryptionPolicy.Require)
            {
                Assert.Null(await connecting.WaitAsync(Patience));
                continue;
            }

            await inner.Dialled.Reader.ReadAsync();
            var transport = await connecting.WaitAsync(Patience);
            Assert.Equal((PeerEncryption.None, false), (transport!.Encryption, transport.HandshakeSent));
        }
    }

    [Fact]
    public async Task A_silent_peer_is_redialled_without_encryption_after_four_seconds()
    {
        var time = new ManualTimeProvider();
        var inner = new PairedDialer();
        var dialer = new EncryptingDialer(inner, _handshake, static () => EncryptionPolicy.Prefer, time);
        var connecting = dialer.ConnectAsync(new DialTarget(new(System.Net.IPAddress.Loopback, 1), Greeting), default).AsTask();
        var first = await inner.Dialled.Reader.ReadAsync();
        await first.ReadAsync(KeyExchange.Size);
        time.Advance(TimeSpan.FromSeconds(3.9));
        Assert.False(inner.Dialled.Reader.TryRead(out _));
        time.Advance(TimeSpan.FromSeconds(0.1));
        await inner.Dialled.Reader.ReadAsync();
        Assert.NotNull(await connecting.WaitAsync(Patience));
    }

    [Fact]
    public async Task A_peer_known_to_be_plain_is_dialled_plain_unless_encryption_is_required()
    {
        var policy = EncryptionPolicy.Prefer;
        var inner = new PairedDialer();
        var dialer = new EncryptingDialer(inner, _handshake, () => policy, new ManualTimeProvider());
        var target = new DialTarget(new(System.Net.IPAddress.Loopback, 1), Greeting, IsPlain: true);
        Assert.Equal(PeerEncryption.None, (await dialer.ConnectAsync(target, default))!.Encryption);
        policy = EncryptionPolicy.Require;
        inner.Dialled.Reader.TryRead(out _);
        var connecting = dialer.ConnectAsync(target, default).AsTask();
        var there = await inner.Dialled.Reader.ReadAsync();
        using var answered = await _handshake.AnswerAsync(there, default, _torrents, Both, default);
        Assert.Equal(PeerEncryption.Full, (await connecting.WaitAsync(Patience))!.Encryption);
    }

    private static async Task SayAsync(ITransport from, ITransport to)
    {
        for (var length = 1; length < 3_000; length = (length * 3) + 1)
        {
            var bytes = RandomNumberGenerator.GetBytes(length);
            await from.SendAsync(bytes.ToArray());
            Assert.Equal(bytes, await ReadAsync(to, length));
        }
    }

    private static async Task<byte[]> ReadAsync(ITransport transport, int count)
    {
        var bytes = new byte[count];
        for (var filled = 0; filled < count;)
            filled += await transport.ReceiveAsync(bytes.AsMemory(filled)).AsTask().WaitAsync(Patience);
        return bytes;
    }

    private async Task<ITransport?> AnswerAsync(Func<ScriptedDialler, Task> offer, CryptoMethods allowed = Both)
    {
        var (a, b) = PairedTransport.Create();
        var script = new ScriptedDialler(a, Hash);
        var answering = _handshake.AnswerAsync(b, default, _torrents, allowed, default).AsTask();
        await script.AgreeAsync();
        await offer(script);
        return await answering.WaitAsync(Patience);
    }

    /// <summary>Answers like a peer that knows the protocol and violates it.</summary>
    private static async Task AnswerByHandAsync(PairedTransport b, uint selected, int padding)
    {
        var exchange = new KeyExchange();
        var secret = new byte[KeyExchange.Size];
        Assert.True(exchange.TryAgree(await b.ReadAsync(KeyExchange.Size), secret));
        await b.SendAsync(exchange.PublicKey);
        var bytes = new byte[14 + padding];
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(8), selected);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(12), (ushort)padding);
        StreamKeys.Cipher(ofDialler: false, secret, Hash).Process(bytes);
        await b.SendAsync(bytes);
    }
}
