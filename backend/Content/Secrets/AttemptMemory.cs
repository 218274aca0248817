using System.Buffers;
using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using NzbDav.Content.Dialling;

namespace NzbDav.Content.Secrets;

/// <summary>The result of checking a password or key.</summary>
public enum SecretVerdict
{
    /// <summary>It is right.</summary>
    Right,

    /// <summary>It is wrong.</summary>
    Wrong,

    /// <summary>It was not checked: its address has guessed too often.</summary>
    Throttled,
}

/// <summary>Where a secret is asked for. When the secrets there change, the verdicts of that scope are forgotten.</summary>
public enum SecretScope
{
    /// <summary>The page, the native API, and the SABnzbd and qBittorrent interfaces.</summary>
    Interface,

    /// <summary>WebDAV.</summary>
    WebDav,
}

/// <summary>How long verdicts remain valid.</summary>
/// <param name="Right">How long a right secret is accepted without a check; simultaneous attempts then share one check. Zero: it is checked
/// each time.</param>
/// <param name="Wrong">How long a wrong secret is refused without a check.</param>
public readonly record struct VerdictLifetimes(TimeSpan Right, TimeSpan Wrong);

/// <summary>
/// The recent attempts of secrets and addresses, for everything that asks for a password or key: verdicts, failed attempts, bans. A secret
/// that was right before is never slowed down, and the same wrong one repeated counts once per lifetime: only trying different secrets is
/// limited. Keeps only digests with a key that never leaves the process, so they cannot be attacked. Thread-safe; bounded.
/// </summary>
public sealed class AttemptMemory
{
    /// <summary>Most right secrets remembered in a scope, and most wrong ones.</summary>
    private const int MaxKept = 1024;

    /// <summary>Time between the attempts of an address past the limit.</summary>
    public static readonly TimeSpan Trickle = TimeSpan.FromSeconds(1);

    /// <summary>Most addresses remembered, at about 100 bytes each.</summary>
    internal const int MaxAddresses = 10_000;

    /// <summary>
    /// Prefix length of a site, which one customer may have (RFC 6177): 65,536 networks of 64 bits, counted together as well.
    /// </summary>
    private const int SiteBits = 48;

    /// <summary>A site may make this many times the attempts of a single network.</summary>
    private const int HostsPerSite = 4;

    private static readonly TimeSpan ReportInterval = TimeSpan.FromMinutes(1);

    /// <summary>Most wrong logins remembered of an address: the highest limit that a ban may be set to.</summary>
    private const int MaxFailures = 1_000;

    private readonly byte[] _key = RandomNumberGenerator.GetBytes(32);
    private readonly Lock _gate = new();
    private readonly Verdicts[] _verdicts = [new(), new()];
    private readonly TimeProvider _time;
    private readonly int _max;
    private readonly TimeSpan _window;

    private readonly Dictionary<IPAddress, Record> _records = [];
    private DateTimeOffset _nextReport;
    private long _refused;

    /// <param name="time">The clock.</param>
    /// <param name="max">Attempts in a window before an address is slowed down.</param>
    /// <param name="window">Length of a window, from its first attempt.</param>
    public AttemptMemory(TimeProvider time, int max, TimeSpan window) => (_time, _max, _window) = (time, max, window);

    /// <summary>Forgets the verdicts of a scope, including those of checks still running. Call when a secret there changes.</summary>
    public void Forget(SecretScope scope)
    {
        lock (_gate)
            _verdicts[(int)scope] = new Verdicts();
    }

    /// <summary>A verdict that is still valid, without a check; null: there is none.</summary>
    /// <inheritdoc cref="TryAsync"/>
    public SecretVerdict? Recall(SecretScope scope, string purpose, string secret)
    {
        var digest = Digest(purpose, secret);
        lock (_gate)
            return _verdicts[(int)scope].Find(digest, _time.GetUtcNow());
    }

    /// <summary>Gets the verdict on a secret: from memory, or by a check if the address may try.</summary>
    /// <param name="scope">Where it is asked for.</param>
    /// <param name="address">The address that tries.</param>
    /// <param name="purpose">The secret's use and user: the same secret for another purpose is a different one.</param>
    /// <param name="secret">The secret.</param>
    /// <param name="lifetimes">How long the verdict remains valid.</param>
    /// <param name="check">Returns true if the secret is right.</param>
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
                WithdrawAttempt(address);
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
        var bytes = ArrayPool<byte>.Shared.Rent(
            sizeof(int) + Encoding.UTF8.GetMaxByteCount(purpose.Length) + Encoding.UTF8.GetMaxByteCount(secret.Length));
        BinaryPrimitives.WriteInt32LittleEndian(bytes, purpose.Length);
        var length = sizeof(int) + Encoding.UTF8.GetBytes(purpose, bytes.AsSpan(sizeof(int)));
        length += Encoding.UTF8.GetBytes(secret, bytes.AsSpan(length));
        HMACSHA256.HashData(_key, bytes.AsSpan(0, length), mac);
        CryptographicOperations.ZeroMemory(bytes.AsSpan(0, length));
        ArrayPool<byte>.Shared.Return(bytes);
        return BinaryPrimitives.ReadUInt128LittleEndian(mac);
    }

    /// <summary>The verdicts of a scope since its secrets last changed. Guarded by the memory's lock.</summary>
    private sealed class Verdicts
    {
        /// <summary>Until when each right secret needs no check. Remembered as right after that too.</summary>
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

    // Addresses that try many wrong secrets are slowed down. Attempts count before their result is known, so that a parallel burst gains
    // nothing. Past the limit one attempt a second is allowed: the right password from an address behind a shared proxy is still accepted
    // after a few tries, while guessing stays slow.

    /// <summary>Addresses remembered; at most <see cref="MaxAddresses"/>.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
                return _records.Count;
        }
    }

    /// <summary>True if a secret may be checked. The attempt then counts as wrong until <see cref="WithdrawAttempt"/>.</summary>
    internal bool TryBegin(IPAddress? address)
    {
        var now = _time.GetUtcNow();
        lock (_gate)
        {
            var (own, site) = (AddressBlock.Of(address), SiteOf(address));
            var (record, wider) = (Find(own, now), site is null ? null : Find(site, now));
            if (!record.MayTry(_max, now) || wider?.MayTry(_max * HostsPerSite, now) == false)
            {
                _refused++;
                return false;
            }

            record.Begin(_max, now);
            wider?.Begin(_max * HostsPerSite, now);
            return true;
        }
    }

    /// <summary>Withdraws a counted attempt: the secret was right, or the check gave no result.</summary>
    internal void WithdrawAttempt(IPAddress? address)
    {
        lock (_gate)
        {
            Withdraw(AddressBlock.Of(address));
            if (SiteOf(address) is { } site)
                Withdraw(site);
        }
    }

    /// <summary>
    /// Number of attempts refused since it was last reported; 0 within a minute of the last report, so that a log grows by at most one line
    /// a minute.
    /// </summary>
    public long DrainRefusedCount()
    {
        var now = _time.GetUtcNow();
        lock (_gate)
        {
            if (_refused == 0 || now < _nextReport)
                return 0;
            _nextReport = now + ReportInterval;
            (var refused, _refused) = (_refused, 0);
            return refused;
        }
    }

    /// <summary>The site of an IPv6 address; null for IPv4. Its last byte distinguishes it from the network with the same bits.</summary>
    private static IPAddress? SiteOf(IPAddress? address)
    {
        if (address is not { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false })
            return null;
        var bytes = AddressBlock.Of(address, SiteBits).GetAddressBytes();
        bytes[^1] = 1;
        return new IPAddress(bytes);
    }

    /// <summary>
    /// Counts a wrong login towards a ban. Repeating the same one counts once: a client whose password was changed retries every minute,
    /// and would be banned before its settings are corrected.
    /// </summary>
    /// <param name="address">The address that it came from.</param>
    /// <param name="purpose">See <see cref="TryAsync"/>.</param>
    /// <param name="secret">See <see cref="TryAsync"/>.</param>
    /// <param name="lifetime">How long the address's wrong logins count, from the latest one.</param>
    public void CountWrong(IPAddress? address, string purpose, string secret, TimeSpan lifetime)
    {
        var (digest, now) = (Digest(purpose, secret), _time.GetUtcNow());
        lock (_gate)
        {
            var record = Find(AddressBlock.Of(address), now);
            if (now >= record.BanEnd)
                record.Wrong.Clear();
            record.BanEnd = now + lifetime;
            if (record.Wrong.Count < MaxFailures)
                record.Wrong.Add(digest);
        }
    }

    /// <summary>Forgets the wrong logins of an address: somebody there knows the password.</summary>
    public void ForgetWrong(IPAddress? address)
    {
        lock (_gate)
        {
            if (_records.TryGetValue(AddressBlock.Of(address), out var record))
                record.Wrong.Clear();
        }
    }

    /// <summary>True for an address with at least <paramref name="most"/> different wrong logins that still count.</summary>
    public bool IsBanned(IPAddress? address, int most)
    {
        lock (_gate)
            return _records.TryGetValue(AddressBlock.Of(address), out var record) && _time.GetUtcNow() < record.BanEnd
                && record.Wrong.Count >= most;
    }

    private void Withdraw(IPAddress key)
    {
        if (_records.TryGetValue(key, out var record) && record.Attempts > 0)
            record.Attempts--;
    }

    private Record Find(IPAddress key, DateTimeOffset now)
    {
        if (!_records.TryGetValue(key, out var record))
        {
            if (_records.Count >= MaxAddresses)
                Prune();
            _records[key] = record = new();
        }

        if (now >= record.WindowEnd)
            (record.WindowEnd, record.NextTry, record.Attempts) = (now + _window, default, 0);
        return record;
    }

    /// <summary>Removes the oldest hundredth: addresses that are guessing now stay known, however many others arrive.</summary>
    private void Prune()
    {
        foreach (var (address, _) in _records.OrderBy(static pair => pair.Value.End).Take(MaxAddresses / 100).ToArray())
            _records.Remove(address);
    }

    private sealed class Record
    {
        public DateTimeOffset WindowEnd { get; set; }

        public DateTimeOffset NextTry { get; set; }

        public int Attempts { get; set; }

        /// <summary>Different wrong logins; they count until <see cref="BanEnd"/>.</summary>
        public HashSet<UInt128> Wrong { get; } = [];

        public DateTimeOffset BanEnd { get; set; }

        /// <summary>When the whole record expires.</summary>
        public DateTimeOffset End => WindowEnd > BanEnd ? WindowEnd : BanEnd;

        public bool MayTry(int max, DateTimeOffset now) => Attempts < max || now >= NextTry;

        public void Begin(int max, DateTimeOffset now)
        {
            if (Attempts >= max)
                NextTry = now + Trickle;
            Attempts++;
        }
    }
}
