using System.Buffers.Binary;
using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using Microsoft.AspNetCore.Http;

namespace NzbDav.Access.Attempts;

/// <summary>
/// Guards every check of a secret. A secret that was right before is never slowed down, and the same wrong one repeated
/// counts once a minute: only trying different secrets is limited. Keeps only keyed digests of secrets. Thread-safe; bounded.
/// </summary>
public sealed class AttemptGate(IAttemptLimiter limiter, TimeProvider time)
{
    /// <summary>Why an attempt was not looked at.</summary>
    public const string TooMany = "Too many wrong passwords or keys from this address.";

    private const int MaxKept = 1024;

    /// <summary>How long a wrong secret is known as such.</summary>
    private static readonly TimeSpan WrongLifetime = TimeSpan.FromMinutes(1);

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly Lock _gate = new();
    private readonly Dictionary<UInt128, DateTimeOffset> _right = [];
    private readonly Dictionary<UInt128, DateTimeOffset> _wrong = [];
    private int _generation;

    /// <summary>Says how long an address that is slowed down has to wait.</summary>
    public void SetRetryAfter(HttpResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        response.Headers.RetryAfter = ((long)Math.Ceiling(limiter.Pause.TotalSeconds)).ToString(CultureInfo.InvariantCulture);
    }

    /// <summary>Forgets what was right and wrong: call it when a secret changes.</summary>
    public void Forget()
    {
        lock (_gate)
        {
            _generation++;
            _right.Clear();
            _wrong.Clear();
        }
    }

    /// <summary>Checks a secret, or answers from memory without a check.</summary>
    /// <param name="address">Who tries.</param>
    /// <param name="purpose">What it is for, and for whom: the same secret elsewhere is another.</param>
    /// <param name="secret">The secret.</param>
    /// <param name="check">True if it is right.</param>
    public async ValueTask<AttemptOutcome> TryAsync(IPAddress? address, string purpose, string secret, Func<ValueTask<bool>> check)
    {
        ArgumentNullException.ThrowIfNull(check);
        var digest = Digest(purpose, secret);
        if (IsKnownWrong(digest))
            return AttemptOutcome.Wrong;
        var (wasRight, generation) = WasRight(digest);
        if (!wasRight && !limiter.TryBegin(address))
            return AttemptOutcome.Throttled;
        bool? right = null;
        try
        {
            right = await check();
        }
        finally
        {
            if (!wasRight && right != false)
                limiter.Forgive(address);
        }

        Keep(digest, right.Value, generation);
        return right.Value ? AttemptOutcome.Right : AttemptOutcome.Wrong;
    }

    private bool IsKnownWrong(UInt128 digest)
    {
        lock (_gate)
            return _wrong.TryGetValue(digest, out var since) && time.GetUtcNow() - since < WrongLifetime;
    }

    private (bool Right, int Generation) WasRight(UInt128 digest)
    {
        lock (_gate)
            return (_right.ContainsKey(digest), _generation);
    }

    private void Keep(UInt128 digest, bool right, int generation)
    {
        lock (_gate)
        {
            if (generation != _generation)
                return;
            (right ? _wrong : _right).Remove(digest);
            var kept = right ? _right : _wrong;
            if (kept.Count >= MaxKept && !kept.ContainsKey(digest))
                kept.Remove(kept.MinBy(pair => pair.Value).Key);
            kept[digest] = time.GetUtcNow();
        }
    }

    private UInt128 Digest(string purpose, string secret)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        HMACSHA256.HashData(_key, Encoding.UTF8.GetBytes($"{purpose.Length} {purpose} {secret}"), mac);
        return BinaryPrimitives.ReadUInt128LittleEndian(mac);
    }
}
