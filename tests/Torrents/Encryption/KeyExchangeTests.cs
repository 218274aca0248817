using System.Numerics;
using NzbDav.Torrents.Wire.Encryption;

namespace NzbDav.Torrents.Tests.Encryption;

public sealed class KeyExchangeTests
{
    private const string Prime =
        "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404ddef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a63a36210000000000090563";

    [Fact]
    public void Both_sides_share_the_same_secret()
    {
        for (var i = 0; i < 20; i++)
        {
            var (a, b) = (new KeyExchange(), new KeyExchange());
            var (first, second) = (new byte[KeyExchange.Size], new byte[KeyExchange.Size]);
            Assert.True(a.TryAgree(b.PublicKey, first));
            Assert.True(b.TryAgree(a.PublicKey, second));
            Assert.Equal(first, second);
            Assert.NotEqual(a.PublicKey, b.PublicKey);
        }
    }

    [Fact]
    public void A_weak_public_key_is_refused()
    {
        var exchange = new KeyExchange();
        var prime = new BigInteger(Convert.FromHexString(Prime), isUnsigned: true, isBigEndian: true);
        foreach (var key in new[] { 0, 1, prime - 1, prime, prime + 1, BigInteger.Pow(2, 768) - 1 })
            Assert.False(exchange.TryAgree(Bytes(key), new byte[KeyExchange.Size]), key.ToString());
        Assert.True(exchange.TryAgree(Bytes(2), new byte[KeyExchange.Size]));
        Assert.True(exchange.TryAgree(Bytes(prime - 2), new byte[KeyExchange.Size]));
    }

    [Fact]
    public void A_small_number_is_padded_to_96_bytes()
    {
        // 2 to the power of the secret, agreed with the key 2, is the public key itself.
        var exchange = new KeyExchange();
        var shared = new byte[KeyExchange.Size];
        Assert.True(exchange.TryAgree(Bytes(2), shared));
        Assert.Equal(exchange.PublicKey, shared);
    }

    private static byte[] Bytes(BigInteger number)
    {
        var bytes = new byte[KeyExchange.Size];
        var text = number.ToByteArray(isUnsigned: true, isBigEndian: true);
        text.CopyTo(bytes, bytes.Length - text.Length);
        return bytes;
    }
}
