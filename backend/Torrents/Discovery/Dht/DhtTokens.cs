using System.Security.Cryptography;
using NzbDav.Torrents.Datagrams;

namespace NzbDav.Torrents.Discovery.Dht;

/// <summary>
/// Tokens that prove that an announcing peer receives datagrams at its address (BEP 5). The secret changes every five minutes, and a token
/// is valid for at most ten. Used under the DHT's lock.
/// </summary>
internal sealed class DhtTokens
{
    private const int Size = 8;
    private static readonly long Lifetime = 5 * TimeSpan.TicksPerMinute;
    private byte[] _secret = RandomNumberGenerator.GetBytes(16);
    private byte[] _previous = RandomNumberGenerator.GetBytes(16);
    private long _since;

    /// <summary>The token for an address. The port does not matter.</summary>
    public byte[] Make(DatagramAddress address, long now)
    {
        Renew(now);
        return Make(address, _secret);
    }

    /// <summary>True for a valid token that was given to this address.</summary>
    public bool IsValid(ReadOnlySpan<byte> token, DatagramAddress address, long now)
    {
        Renew(now);
        return CryptographicOperations.FixedTimeEquals(token, Make(address, _secret))
            || CryptographicOperations.FixedTimeEquals(token, Make(address, _previous));
    }

    private static byte[] Make(DatagramAddress address, byte[] secret)
    {
        Span<byte> bytes = stackalloc byte[16];
        return HMACSHA256.HashData(secret, bytes[..address.WriteAddress(bytes)])[..Size];
    }

    private void Renew(long now)
    {
        if (now - _since < Lifetime)
            return;
        _previous = now - _since < 2 * Lifetime ? _secret : RandomNumberGenerator.GetBytes(16);
        _secret = RandomNumberGenerator.GetBytes(16);
        _since = now;
    }
}
