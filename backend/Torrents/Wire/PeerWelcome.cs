namespace NzbDav.Torrents.Wire;

/// <summary>Takes over an incoming peer.</summary>
/// <param name="transport">Its connection; owned by the callee if it returns true.</param>
/// <param name="handshake">Its handshake.</param>
/// <param name="received">The bytes received so far: those of the handshake.</param>
/// <returns>False if no open torrent accepts it.</returns>
internal delegate bool PeerWelcome(ITransport transport, in Handshake handshake, ReadOnlyMemory<byte> received);
