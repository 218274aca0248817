namespace NzbDav.Torrents.Wire;

/// <summary>A peer came to us.</summary>
/// <param name="transport">Its connection: the callee's if it returns true.</param>
/// <param name="handshake">Its handshake.</param>
/// <param name="received">The bytes received so far: the handshake's.</param>
/// <returns>False if nobody wants it.</returns>
internal delegate bool PeerWelcome(ITransport transport, in Handshake handshake, ReadOnlyMemory<byte> received);
