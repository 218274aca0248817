using System.Buffers.Binary;
using System.Security.Cryptography;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>
/// The handshake of message-stream encryption, for both sides. A is the side that dialled:
/// <code>
/// A→B  Ya, PadA
/// B→A  Yb, PadB
/// A→B  HASH('req1', S), HASH('req2', SKEY) xor HASH('req3', S), ENCRYPT(VC, crypto_provide, len(PadC), PadC, len(IA)), ENCRYPT(IA)
/// B→A  ENCRYPT(VC, crypto_select, len(PadD), PadD), payload
/// A→B  payload
/// </code>
/// Both methods return null for a peer that violates the protocol. The caller limits the time, and owns the connection in any case.
/// Thread-safe.
/// </summary>
/// <param name="queue">Limits the CPU use of key exchanges.</param>
internal sealed class StreamHandshake(KeyExchangeQueue queue)
{
    /// <summary>Each padding has 0 … 512 random bytes.</summary>
    private const int MostPadding = 512;

    /// <summary>VC, the verification constant: eight zeros.</summary>
    private const int ConstantSize = 8;

    /// <summary>
    /// Longest initial payload that is accepted. It is a handshake, sometimes followed by the first messages. The protocol allows 64 KiB;
    /// no client uses that.
    /// </summary>
    private const int MostInitial = 16 << 10;

    /// <summary>Performs the handshake as the side that dialled.</summary>
    /// <param name="transport">Connected; nothing has been sent yet.</param>
    /// <param name="greeting">Sent as the initial payload.</param>
    /// <param name="allowed">Methods that may be used after the handshake.</param>
    /// <param name="cancellationToken">Ends the wait for a turn.</param>
    /// <exception cref="IOException">The connection broke.</exception>
    public async ValueTask<ITransport?> OpenAsync(
        ITransport transport, Handshake greeting, CryptoMethods allowed, CancellationToken cancellationToken)
    {
        var exchange = await queue.CreateAsync(cancellationToken);
        await transport.SendAsync(WithPadding(exchange.PublicKey));
        var input = new HandshakeInput(transport, default);

        // A peer that supports no encryption and does not wait for the other side begins with a plain handshake.
        if (!await input.HasAsync(StreamKeys.HashSize) || Handshake.CanBegin(input.Unread) || !await input.HasAsync(KeyExchange.Size))
            return null;
        var secret = new byte[KeyExchange.Size];
        if (!await queue.AgreeAsync(exchange, input.Consume(KeyExchange.Size).ToArray(), secret, cancellationToken))
            return null;

        var sending = StreamKeys.Cipher(ofDialler: true, secret, greeting.Hash);
        var receiving = StreamKeys.Cipher(ofDialler: false, secret, greeting.Hash);
        await transport.SendAsync(Offer(secret, greeting, allowed, sending));
        var constant = new byte[ConstantSize];
        receiving.Process(constant);
        if (!await input.SkipToAsync(constant, MostPadding) || !await input.HasAsync(6))
            return null;
        receiving.Process(input.Unread[..6]);
        var selected = (CryptoMethods)BinaryPrimitives.ReadUInt32BigEndian(input.Consume(4));
        var padding = BinaryPrimitives.ReadUInt16BigEndian(input.Consume(2));
        if (selected is not (CryptoMethods.Plain or CryptoMethods.Rc4) || (selected & allowed) == 0 || padding > MostPadding
            || !await input.HasAsync(padding))
            return null;
        receiving.Process(input.Consume(padding));
        return Finish(transport, input, initial: 0, selected, receiving, sending, isGreeted: true);
    }

    /// <summary>Performs the handshake as the side that was dialled.</summary>
    /// <param name="transport">The connection.</param>
    /// <param name="received">Bytes received so far.</param>
    /// <param name="torrents">The open torrents.</param>
    /// <param name="allowed">Methods that may be used after the handshake; plain is chosen if both are offered.</param>
    /// <param name="cancellationToken">Ends the wait for a turn.</param>
    /// <exception cref="IOException">The connection broke.</exception>
    public async ValueTask<ITransport?> AnswerAsync(ITransport transport, ReadOnlyMemory<byte> received, DisguisedHashes torrents,
        CryptoMethods allowed, CancellationToken cancellationToken)
    {
        var input = new HandshakeInput(transport, received);
        if (!await input.HasAsync(KeyExchange.Size))
            return null;
        var exchange = await queue.CreateAsync(cancellationToken);
        var secret = new byte[KeyExchange.Size];
        if (!await queue.AgreeAsync(exchange, input.Consume(KeyExchange.Size).ToArray(), secret, cancellationToken))
            return null;
        await transport.SendAsync(WithPadding(exchange.PublicKey));

        var mark = new byte[StreamKeys.HashSize];
        StreamKeys.WriteReq1(secret, mark);
        if (!await input.SkipToAsync(mark, MostPadding) || !await input.HasAsync(StreamKeys.HashSize))
            return null;
        if (FindTorrent(secret, input.Consume(StreamKeys.HashSize), torrents) is not { } hash)
            return null;
        var receiving = StreamKeys.Cipher(ofDialler: true, secret, hash);
        var sending = StreamKeys.Cipher(ofDialler: false, secret, hash);

        if (!await input.HasAsync(ConstantSize + 6))
            return null;
        receiving.Process(input.Unread[..(ConstantSize + 6)]);
        var isConstant = !input.Consume(ConstantSize).ContainsAnyExcept((byte)0);
        var offered = (CryptoMethods)BinaryPrimitives.ReadUInt32BigEndian(input.Consume(4)) & allowed;
        var padding = BinaryPrimitives.ReadUInt16BigEndian(input.Consume(2));
        if (!isConstant || offered == 0 || padding > MostPadding || !await input.HasAsync(padding + 2))
            return null;
        receiving.Process(input.Unread[..(padding + 2)]);
        input.Consume(padding);
        var initial = BinaryPrimitives.ReadUInt16BigEndian(input.Consume(2));
        if (initial > MostInitial)
            return null;
        var selected = (offered & CryptoMethods.Plain) != 0 ? CryptoMethods.Plain : CryptoMethods.Rc4;
        await transport.SendAsync(Answer(selected, sending));
        return await input.HasAsync(initial) ? Finish(transport, input, initial, selected, receiving, sending, isGreeted: false) : null;
    }

    /// <summary>
    /// Returns the connection after the handshake. The initial payload is always encrypted, the bytes after it only if RC4 was chosen.
    /// </summary>
    private static EncryptedTransport Finish(
        ITransport transport, HandshakeInput input, int initial, CryptoMethods selected, Rc4 receiving, Rc4 sending, bool isGreeted)
    {
        var rest = input.Unread;
        var isEncrypted = selected == CryptoMethods.Rc4;
        receiving.Process(isEncrypted ? rest : rest[..initial]);
        return new EncryptedTransport(transport, isEncrypted ? receiving : null, isEncrypted ? sending : null, rest.ToArray(), isGreeted);
    }

    private static InfoHash? FindTorrent(ReadOnlySpan<byte> secret, Span<byte> veiled, DisguisedHashes torrents)
    {
        StreamKeys.XorReq3(secret, veiled);
        return torrents.Find(new InfoHash(veiled));
    }

    private static byte[] WithPadding(ReadOnlySpan<byte> key) => [.. key, .. Padding()];

    private static byte[] Offer(ReadOnlySpan<byte> secret, in Handshake greeting, CryptoMethods allowed, Rc4 cipher)
    {
        var padding = Padding();
        var bytes = new byte[(2 * StreamKeys.HashSize) + ConstantSize + 6 + padding.Length + 2 + Handshake.Size];
        StreamKeys.WriteReq1(secret, bytes);
        var veiled = bytes.AsSpan(StreamKeys.HashSize, StreamKeys.HashSize);
        StreamKeys.Disguise(greeting.Hash).CopyTo(veiled);
        StreamKeys.XorReq3(secret, veiled);
        var hidden = bytes.AsSpan(2 * StreamKeys.HashSize);
        BinaryPrimitives.WriteUInt32BigEndian(hidden[ConstantSize..], (uint)allowed);
        BinaryPrimitives.WriteUInt16BigEndian(hidden[(ConstantSize + 4)..], (ushort)padding.Length);
        padding.CopyTo(hidden[(ConstantSize + 6)..]);
        BinaryPrimitives.WriteUInt16BigEndian(hidden[^(Handshake.Size + 2)..], Handshake.Size);
        greeting.Write(hidden[^Handshake.Size..]);
        cipher.Process(hidden);
        return bytes;
    }

    private static byte[] Answer(CryptoMethods selected, Rc4 cipher)
    {
        var padding = Padding();
        var bytes = new byte[ConstantSize + 6 + padding.Length];
        BinaryPrimitives.WriteUInt32BigEndian(bytes.AsSpan(ConstantSize), (uint)selected);
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(ConstantSize + 4), (ushort)padding.Length);
        padding.CopyTo(bytes.AsSpan(ConstantSize + 6));
        cipher.Process(bytes);
        return bytes;
    }

    private static byte[] Padding() => RandomNumberGenerator.GetBytes(RandomNumberGenerator.GetInt32(MostPadding + 1));
}

/// <summary>Encryption of the bytes after the handshake: crypto_provide and crypto_select.</summary>
[Flags]
internal enum CryptoMethods : uint
{
    None = 0,
    Plain = 1,
    Rc4 = 2,
}
