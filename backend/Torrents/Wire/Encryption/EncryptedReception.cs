using System.Collections.Concurrent;
using NzbDav.Torrents.Metadata;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>Answers encrypted handshakes as the policy allows. Thread-safe.</summary>
/// <param name="handshake">Performs the handshakes.</param>
/// <param name="torrents">The open torrents.</param>
/// <param name="policy">Returns the current policy.</param>
internal sealed class EncryptedReception(
    StreamHandshake handshake, DisguisedHashes torrents, Func<EncryptionPolicy> policy) : IEncryptedReception
{
    public bool AllowsPlain => policy() != EncryptionPolicy.Require;

    public async ValueTask<ITransport?> AnswerAsync(
        ITransport transport, ReadOnlyMemory<byte> received, CancellationToken cancellationToken) => policy() switch
        {
            EncryptionPolicy.Off => null,
            EncryptionPolicy.Require => await handshake.AnswerAsync(transport, received, torrents, CryptoMethods.Rc4, cancellationToken),
            _ => await handshake.AnswerAsync(transport, received, torrents, CryptoMethods.Plain | CryptoMethods.Rc4, cancellationToken),
        };
}

/// <summary>
/// Finds open torrents by the hash of their info-hash, which identifies them in an encrypted handshake. A name may be added more than once,
/// as one torrent's hash and another's alias; it stays until it has been removed as often. Thread-safe.
/// </summary>
internal sealed class DisguisedHashes
{
    private readonly ConcurrentDictionary<InfoHash, (InfoHash Name, int Times)> _names = new();

    /// <param name="name">A torrent's info-hash, or its alias.</param>
    public void Add(InfoHash name) =>
        _names.AddOrUpdate(
            StreamKeys.Disguise(name), static (_, name) => (name, 1), static (_, known, _) => known with { Times = known.Times + 1 }, name);

    public void Remove(InfoHash name)
    {
        var disguise = StreamKeys.Disguise(name);
        _names.AddOrUpdate(disguise, static (_, name) => (name, 0), static (_, known, _) => known with { Times = known.Times - 1 }, name);
        _names.TryRemove(new KeyValuePair<InfoHash, (InfoHash, int)>(disguise, (name, 0)));
    }

    /// <summary>The info-hash or alias itself, which is also the key of the encryption. Null if no open torrent has it.</summary>
    public InfoHash? Find(InfoHash disguise) => _names.TryGetValue(disguise, out var known) ? known.Name : null;
}
