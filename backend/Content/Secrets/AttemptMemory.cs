using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using System.Text;

namespace NzbDav.Content.Secrets;

/// <summary>What became of a password or key.</summary>
public enum SecretVerdict
{
    /// <summary>It is right.</summary>
    Right,

    /// <summary>It is wrong.</summary>
    Wrong,

    /// <summary>It was not looked at: its address has guessed too often.</summary>
    Throttled,
}

/// <summary>Where a secret is asked for. What was right or wrong there is forgotten when the secrets there change.</summary>
public enum SecretScope
{
    /// <summary>The page, the native API, and the SABnzbd and qBittorrent interfaces.</summary>
    Interface,

    /// <summary>WebDAV.</summary>
    WebDav,
}

/// <summary>How long verdicts count.</summary>
/// <param name="Right">A right secret is accepted for so long without a check, and one check serves all who ask at the same time; zero: it
/// is checked each time.</param>
/// <param name="Wrong">A wrong one is refused for so long without a check.</param>
public readonly record struct VerdictLifetimes(TimeSpan Right, TimeSpan Wrong);

/// <summary>
/// What secrets and addresses did lately, for everything that asks for a password or key: verdicts, failed attempts, bans. A secret that
/// was right before is never slowed down, and the same wrong one repeated counts once per lifetime: only trying different secrets is
/// limited. Keeps only keyed digests of secrets, which nobody can attack. Thread-safe; bounded.
/// </summary>
public sealed partial class AttemptMemory
{
    /// <summary>Most right and most wrong secrets remembered in a scope.</summary>
    private const int MaxKept = 1024;

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly Lock _gate = new();
    private readonly Verdicts[] _verdicts = [new(), new()];
    private readonly TimeProvider _time;
    private readonly int _max;
    private readonly TimeSpan _window;

    /// <param name="time">The clock.</param>
    /// <param name="max">Attempts in a window before an address is slowed down.</param>
    /// <param name="window">How long attempts count, from the first.</param>
    public AttemptMemory(TimeProvider time, int max, TimeSpan window) => (_time, _max, _window) = (time, max, window);

    /// <summary>Forgets what was right and wrong in a scope, checks that run now included: call it when a secret there changes.</summary>
    public void Forget(SecretScope scope)
    {
        lock (_gate)
            _verdicts[(int)scope] = new Verdicts();
    }

    /// <summary>A verdict that still counts, without a check; null: there is none.</summary>
    /// <inheritdoc cref="TryAsync"/>
    public SecretVerdict? Recall(SecretScope scope, string purpose, string secret)
    {
        var digest = Digest(purpose, secret);
        lock (_gate)
            return _verdicts[(int)scope].Find(digest, _time.GetUtcNow());
    }

    /// <summary>Judges a secret: from memory, or by a check if its address may try.</summary>
    /// <param name="scope">Where it is asked for.</param>
    /// <param name="address">Who tries.</param>
    /// <param name="purpose">What it is for, and for whom: the same secret elsewhere is another.</param>
    /// <param name="secret">The secret.</param>
    /// <param name="lifetimes">How long the verdict counts.</param>
    /// <param name="check">True if it is right.</param>
    public async ValueTask<SecretVerdict> TryAsync(
        SecretScope scope, IPAddress? address, string purpose, string secret, VerdictLifetimes lifetimes, Func<ValueTask<bool>> check)
    {
        ArgumentNullException.ThrowIfNull(check);
        var digest = Digest(purpose, secret);
        var own = lifetimes.Right > TimeSpan.Zero
            ? new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously)
            : null;
        Verdicts verdicts;
        Task<bool>? running;
        bool wasRight;
        lock (_gate)
        {
            verdicts = _verdicts[(int)scope];
            if (verdicts.Find(digest, _time.GetUtcNow()) is { } known)
                return known;
            wasRight = verdicts.Right.ContainsKey(digest);
            running = own is null || verdicts.Running.TryAdd(digest, own.Task) ? null : verdicts.Running[digest];
        }

        if (running is not null)
            return await running ? SecretVerdict.Right : SecretVerdict.Wrong;
        if (!wasRight && !TryBegin(address))
        {
            End(verdicts, digest, right: null, default, own);
            return SecretVerdict.Throttled;
        }

        bool? right = null;
        try
        {
            right = await check();
        }
        finally
        {
            End(verdicts, digest, right, right == true ? lifetimes.Right : lifetimes.Wrong, own);
            if (!wasRight && right != false)
                Forgive(address);
        }

        return right.Value ? SecretVerdict.Right : SecretVerdict.Wrong;
    }

    private void End(Verdicts verdicts, UInt128 digest, bool? right, TimeSpan lifetime, TaskCompletionSource<bool>? own)
    {
        lock (_gate)
        {
            if (own is not null)
                verdicts.Running.Remove(digest);
            if (right is { } verdict)
                verdicts.Keep(digest, verdict, _time.GetUtcNow() + lifetime);
        }

        own?.SetResult(right == true);
    }

    private UInt128 Digest(string purpose, string secret)
    {
        Span<byte> mac = stackalloc byte[HMACSHA256.HashSizeInBytes];
        var bytes = ArrayPool<byte>.Shared.Rent(sizeof(int) + Encoding.UTF8.GetMaxByteCount(purpose.Length) + Encoding.UTF8.GetMaxByteCount(secret.Length));
        BinaryPrimitives.WriteInt32LittleEndian(bytes, purpose.Length);
        var length = sizeof(int) + Encoding.UTF8.GetBytes(purpose, bytes.AsSpan(sizeof(int)));
        length += Encoding.UTF8.GetBytes(secret, bytes.AsSpan(length));
        HMACSHA256.HashData(_key, bytes.AsSpan(0, length), mac);
        CryptographicOperations.ZeroMemory(bytes.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(bytes);
        return BinaryPrimitives.ReadUInt128LittleEndian(mac);
    }

    /// <summary>What was right and wrong in a scope since its secrets last changed. Under the memory's lock.</summary>
    private sealed class Verdicts
    {
        /// <summary>Until when each right secret needs no check. It stays known as right after that.</summary>
        public Dictionary<UInt128, DateTimeOffset> Right { get; } = [];

        public Dictionary<UInt128, DateTimeOffset> Wrong { get; } = [];

        public Dictionary<UInt128, Task<bool>> Running { get; } = [];

        public SecretVerdict? Find(UInt128 digest, DateTimeOffset now)
        {
            if (Right.TryGetValue(digest, out var end) && now < end)
                return SecretVerdict.Right;
            return Wrong.TryGetValue(digest, out end) && now < end ? SecretVerdict.Wrong : null;
        }

        public void Keep(UInt128 digest, bool right, DateTimeOffset end)
        {
            (right ? Wrong : Right).Remove(digest);
            var kept = right ? Right : Wrong;
            if (kept.Count >= MaxKept && !kept.ContainsKey(digest))
                kept.Remove(kept.MinBy(static pair => pair.Value).Key);
            kept[digest] = end;
        }
    }
}
