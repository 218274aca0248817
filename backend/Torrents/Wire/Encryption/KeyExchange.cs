using System.Globalization;
using System.Numerics;
using System.Security.Cryptography;

namespace NzbDav.Torrents.Wire.Encryption;

/// <summary>
/// One side of the Diffie–Hellman exchange: a prime of 768 bits, generator 2, a secret of 160 bits. Creation and agreement each take about
/// half a millisecond of CPU.
/// </summary>
internal sealed class KeyExchange
{
    /// <summary>Bytes of a public key, and of the shared secret.</summary>
    public const int Size = 96;

    private const int SecretBytes = 20;

    /// <summary>The prime of message-stream encryption: Oakley group 1 (RFC 2409, 6.1) with other last bits.</summary>
    private static readonly BigInteger Prime = BigInteger.Parse(
        "0FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A63A36210000000000090563",
        NumberStyles.HexNumber,
        CultureInfo.InvariantCulture);

    private readonly BigInteger _secret = new(RandomNumberGenerator.GetBytes(SecretBytes), isUnsigned: true);

    public KeyExchange() => Write(BigInteger.ModPow(2, _secret, Prime), PublicKey);

    /// <summary>Our public key, to be sent to the other side: 96 bytes, big-endian.</summary>
    public byte[] PublicKey { get; } = new byte[Size];

    /// <summary>Computes the secret that both sides then have.</summary>
    /// <param name="theirs">Their public key, 96 bytes.</param>
    /// <param name="shared">Receives the secret, 96 bytes.</param>
    /// <returns>False if their key is invalid: with 0, 1, or the prime minus one or more, anyone would know the secret.</returns>
    public bool TryAgree(ReadOnlySpan<byte> theirs, Span<byte> shared)
    {
        var key = new BigInteger(theirs, isUnsigned: true, isBigEndian: true);
        if (key <= 1 || key >= Prime - 1)
            return false;
        Write(BigInteger.ModPow(key, _secret, Prime), shared);
        return true;
    }

    private static void Write(BigInteger number, Span<byte> bytes)
    {
        bytes = bytes[..Size];
        bytes.Clear();
        number.TryWriteBytes(bytes[(Size - number.GetByteCount(isUnsigned: true))..], out _, isUnsigned: true, isBigEndian: true);
    }
}

/// <summary>
/// Limits the CPU use of key exchanges to half of the cores, but at least one, because strangers can start any number of them. Thread-safe.
/// </summary>
internal sealed class KeyExchangeQueue : IDisposable
{
    private readonly SemaphoreSlim _slots = new(Math.Max(1, Environment.ProcessorCount / 2));

    /// <summary>See <see cref="KeyExchange()"/>.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask<KeyExchange> CreateAsync(CancellationToken cancellationToken)
    {
        await _slots.WaitAsync(cancellationToken);
        try
        {
            return new KeyExchange();
        }
        finally
        {
            _slots.Release();
        }
    }

    /// <summary>See <see cref="KeyExchange.TryAgree"/>.</summary>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask<bool> AgreeAsync(
        KeyExchange exchange, ReadOnlyMemory<byte> theirs, Memory<byte> shared, CancellationToken cancellationToken)
    {
        await _slots.WaitAsync(cancellationToken);
        try
        {
            return exchange.TryAgree(theirs.Span, shared.Span);
        }
        finally
        {
            _slots.Release();
        }
    }

    public void Dispose() => _slots.Dispose();
}
