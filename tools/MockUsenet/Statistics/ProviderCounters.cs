using System.Runtime.InteropServices;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Protocol;

namespace NzbDav.MockUsenet.Statistics;

/// <summary>The live counters behind <see cref="ProviderStats"/>. Thread-safe.</summary>
internal sealed class ProviderCounters
{
    private const int MostIds = 1_000;
    private static readonly NntpVerb[] Verbs = Enum.GetValues<NntpVerb>();
    private static readonly FaultKind[] Kinds = Enum.GetValues<FaultKind>();

    private readonly Lock _gate = new();
    private readonly Dictionary<PostedSegment, int> _asked = [];
    private readonly long[] _commands = new long[Verbs.Length];
    private readonly long[] _faults = new long[Kinds.Length];
    private long _articles;
    private long _payload;
    private long _wire;
    private long _opened;
    private long _open;
    private long _peak;
    private long _refused;
    private long _logins;
    private long _loginsRefused;
    private long _handshakes;
    private long _handshakesResumed;

    /// <summary>Connections that count against the limit.</summary>
    public long Open => Interlocked.Read(ref _open);

    public void Command(NntpVerb verb) => Interlocked.Increment(ref _commands[(int)verb]);

    public void Fault(FaultKind kind) => Interlocked.Increment(ref _faults[(int)kind]);

    public void Sent(int bytes) => Interlocked.Add(ref _wire, bytes);

    public void Served(int payload)
    {
        Interlocked.Increment(ref _articles);
        Interlocked.Add(ref _payload, payload);
    }

    public void Asked(PostedSegment segment)
    {
        lock (_gate)
            CollectionsMarshal.GetValueRefOrAddDefault(_asked, segment, out _)++;
    }

    /// <summary>Counts a connection if fewer than <paramref name="cap"/> are open.</summary>
    public bool TryOpen(int cap)
    {
        lock (_gate)
        {
            if (_open >= cap)
                return false;
            _opened++;
            _peak = Math.Max(_peak, ++_open);
            return true;
        }
    }

    public void Closed() => Interlocked.Decrement(ref _open);

    public void Refused() => Interlocked.Increment(ref _refused);

    public void Handshake(bool resumed)
    {
        Interlocked.Increment(ref _handshakes);
        if (resumed)
            Interlocked.Increment(ref _handshakesResumed);
    }

    public void Login(bool accepted) => Interlocked.Increment(ref accepted ? ref _logins : ref _loginsRefused);

    /// <summary>Resets everything except the number of open connections.</summary>
    public void Reset()
    {
        lock (_gate)
        {
            _asked.Clear();
            Array.Clear(_commands);
            Array.Clear(_faults);
            (_articles, _payload, _wire, _refused, _logins, _loginsRefused, _handshakes, _handshakesResumed) = (0, 0, 0, 0, 0, 0, 0, 0);
            (_opened, _peak) = (0, Interlocked.Read(ref _open));
        }
    }

    public ProviderStats Snapshot(string name, int port)
    {
        lock (_gate)
        {
            var again = _asked.Where(static entry => entry.Value > 1).Select(static entry => entry.Key.MessageId);
            return new ProviderStats
            {
                Name = name,
                Port = port,
                ArticlesServed = Interlocked.Read(ref _articles),
                PayloadBytes = Interlocked.Read(ref _payload),
                WireBytes = Interlocked.Read(ref _wire),
                Commands = Verbs.Where(verb => Interlocked.Read(ref _commands[(int)verb]) > 0)
                    .ToDictionary(NameOf, verb => Interlocked.Read(ref _commands[(int)verb]), StringComparer.Ordinal),
                ConnectionsOpened = _opened,
                ConnectionsOpen = Interlocked.Read(ref _open),
                ConnectionsPeak = _peak,
                ConnectionsRefused = Interlocked.Read(ref _refused),
                Logins = Interlocked.Read(ref _logins),
                LoginsRefused = Interlocked.Read(ref _loginsRefused),
                Handshakes = Interlocked.Read(ref _handshakes),
                HandshakesResumed = Interlocked.Read(ref _handshakesResumed),
                ArticlesAsked = _asked.Count,
                ArticlesAskedAgain = again.LongCount(),
                AskedAgain = [.. again.Order(StringComparer.Ordinal).Take(MostIds)],
                Faults = Kinds.Where(kind => Interlocked.Read(ref _faults[(int)kind]) > 0)
                    .ToDictionary(static kind => kind.ToString(), kind => Interlocked.Read(ref _faults[(int)kind]), StringComparer.Ordinal),
            };
        }
    }

    private static string NameOf(NntpVerb verb) => verb switch
    {
        NntpVerb.AuthInfoUser => "AUTHINFO USER",
        NntpVerb.AuthInfoPass => "AUTHINFO PASS",
        NntpVerb.ModeReader => "MODE READER",
        _ => verb.ToString().ToUpperInvariant(),
    };
}
