using System.Net;
using System.Net.Sockets;
using NzbDav.Content.Dialling;

namespace NzbDav.Content.Secrets;

// Addresses that try many wrong secrets are slowed down. Attempts count from before their outcome is known, so that a burst in parallel
// gains nothing. Past the limit one attempt a second is let through: a right password behind the same proxy still gets in after a few
// tries, while guessing stays slow.
public sealed partial class AttemptMemory
{
    /// <summary>How often an address past the limit may try.</summary>
    public static readonly TimeSpan Trickle = TimeSpan.FromSeconds(1);

    /// <summary>Most addresses remembered, at some 100 bytes each.</summary>
    internal const int MaxAddresses = 10_000;

    /// <summary>An IPv6 address also stands for its /48, which one customer may have (RFC 6177): 65,536 networks of 64 bits.</summary>
    private const int SiteBits = 48;

    /// <summary>So many networks of a site may guess as if they were strangers to each other.</summary>
    private const int HostsPerSite = 4;

    private static readonly TimeSpan ReportInterval = TimeSpan.FromMinutes(1);

    /// <summary>Most wrong logins remembered of an address: as many as a ban may be set to take.</summary>
    private const int MaxFailures = 1_000;

    private readonly Dictionary<IPAddress, Record> _records = [];
    private DateTimeOffset _nextReport;
    private long _refused;

    /// <summary>Addresses remembered; at most <see cref="MaxAddresses"/>.</summary>
    internal int Count
    {
        get
        {
            lock (_gate)
                return _records.Count;
        }
    }

    /// <summary>Asks whether a secret may be checked. If so it counts as wrong until <see cref="Forgive"/>.</summary>
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
    internal void Forgive(IPAddress? address)
    {
        lock (_gate)
        {
            Withdraw(AddressBlock.Of(address));
            if (SiteOf(address) is { } site)
                Withdraw(site);
        }
    }

    /// <summary>How many attempts were refused since this was last asked; 0 if it was asked less than a minute ago, so that a log grows by
    /// a line a minute.</summary>
    public long TakeRefused()
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

    /// <summary>The site that an IPv6 address belongs to; null for IPv4. Its last byte tells it from a host's network of the same
    /// bits.</summary>
    private static IPAddress? SiteOf(IPAddress? address)
    {
        if (address is not { AddressFamily: AddressFamily.InterNetworkV6, IsIPv4MappedToIPv6: false })
            return null;
        var bytes = AddressBlock.Of(address, SiteBits).GetAddressBytes();
        bytes[^1] = 1;
        return new IPAddress(bytes);
    }

    /// <summary>
    /// Counts a wrong login towards a ban. Repeating the same one counts once: a client whose password was changed tries every minute, and
    /// would be banned before its settings are corrected.
    /// </summary>
    /// <param name="address">Where it came from.</param>
    /// <param name="purpose">See <see cref="TryAsync"/>.</param>
    /// <param name="secret">See <see cref="TryAsync"/>.</param>
    /// <param name="lifetime">How long it counts, from the latest one.</param>
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

    /// <summary>True for an address with so many different wrong logins.</summary>
    public bool IsBanned(IPAddress? address, int most)
    {
        lock (_gate)
            return _records.TryGetValue(AddressBlock.Of(address), out var record) && _time.GetUtcNow() < record.BanEnd && record.Wrong.Count >= most;
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

    /// <summary>The oldest go, a hundredth at a time: those that guess now stay known, however many others come.</summary>
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

        /// <summary>From then on nothing of it counts.</summary>
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
