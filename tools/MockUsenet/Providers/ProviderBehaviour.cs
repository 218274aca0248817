using System.Security.Cryptography;
using System.Text;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Faults;
using NzbDav.MockUsenet.Pacing;
using NzbDav.MockUsenet.Protocol;
using NzbDav.MockUsenet.Statistics;

namespace NzbDav.MockUsenet.Providers;

/// <summary>
/// The behaviour of a provider: its articles, limits and faults, and the resulting answers. All properties may be changed while it
/// serves. Thread-safe.
/// </summary>
public abstract class ProviderBehaviour
{
    private readonly MockProviderOptions _options;
    private long _latency;
    private long _jitter;
    private long _ghosts;
    private int _refuseLogins;

    private protected ProviderBehaviour(ArticleStore store, MockProviderOptions options)
    {
        (Store, _options) = (store, options);
        (Latency, Jitter, ConnectionRate) = (options.Latency, options.Jitter, options.ConnectionRate);
        (MaxConnections, CapRefusal, Holds) = (options.MaxConnections, options.CapRefusal, options.Holds);
        Ghosts = options.Ghosts;
        Line = new Pacer(options.TotalRate, Pacer.SharedPieces);
        Scheduler = options.Time == TimeProvider.System ? PreciseScheduler.Shared : new TimerScheduler(options.Time);
    }

    public string Name => _options.Name;

    public ArticleStore Store { get; }

    /// <summary>Decides what happens to each request for an article, before <see cref="Faults"/>; null: none.</summary>
    public IReplyScript? Script { get; set; }

    /// <inheritdoc cref="MockProviderOptions.KeepsArticles"/>
    public bool KeepsArticles => _options.KeepsArticles;

    /// <summary>The faults of articles.</summary>
    public FaultPlan Faults { get; } = new();

    /// <inheritdoc cref="MockProviderOptions.Latency"/>
    public TimeSpan Latency
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _latency));
        set => Volatile.Write(ref _latency, value.Ticks);
    }

    /// <inheritdoc cref="MockProviderOptions.Jitter"/>
    public TimeSpan Jitter
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _jitter));
        set => Volatile.Write(ref _jitter, value.Ticks);
    }

    /// <inheritdoc cref="MockProviderOptions.ConnectionRate"/>
    public long ConnectionRate { get; set; }

    /// <inheritdoc cref="MockProviderOptions.TotalRate"/>
    public long TotalRate
    {
        get => Line.Rate;
        set => Line.Rate = value;
    }

    /// <summary>The connection limit. Connections that are open when it is lowered stay open.</summary>
    public int MaxConnections { get; set; }

    public CapRefusal CapRefusal { get; set; }

    /// <inheritdoc cref="MockProviderOptions.Ghosts"/>
    public TimeSpan Ghosts
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _ghosts));
        set => Volatile.Write(ref _ghosts, value.Ticks);
    }

    /// <inheritdoc cref="MockProviderOptions.Holds"/>
    public Func<PostedSegment, bool>? Holds { get; set; }

    /// <summary>True: new connections are reset before a greeting.</summary>
    public bool RefuseConnections { get; set; }

    /// <summary>
    /// True: nothing more is sent, as if packets vanished. New connections are accepted and never greeted. A connection that was silent
    /// for this reason stays so when it is false again.
    /// </summary>
    public bool IsFrozen { get; set; }

    /// <summary>How many of the next logins are refused with 481, whether right or wrong; <see cref="int.MaxValue"/> = all.</summary>
    public int RefuseLogins
    {
        get => Volatile.Read(ref _refuseLogins);
        set => Volatile.Write(ref _refuseLogins, value);
    }

    /// <summary>True: logins work, but requests for an article get 502 and end the connection, as when a quota is used up.</summary>
    public bool RefuseBodies { get; set; }

    internal ProviderCounters Counters { get; } = new();

    internal IDelayScheduler Scheduler { get; }

    internal Pacer Line { get; }

    internal MockLine? SharedLine => _options.Line;

    internal TimeProvider Time => _options.Time;

    internal bool NeedsLogin => _options.Username is not null;

    /// <summary>False when no reply has to wait, so the clock need not be read.</summary>
    internal bool HasDelays => Volatile.Read(ref _latency) > 0 || Volatile.Read(ref _jitter) > 0 || ConnectionRate > 0 || Line.Rate > 0
        || SharedLine is not null || Script is not null;

    internal bool Login(string user, string password)
    {
        var accepted = !TakeRefusal() && (!NeedsLogin || (Same(user, _options.Username) && Same(password, _options.Password)));
        Counters.Login(accepted);
        return accepted;
    }

    /// <summary>The answer to STAT, HEAD, BODY or ARTICLE for a message-id without its brackets.</summary>
    internal Reply Answer(NntpVerb verb, ReadOnlySpan<byte> messageId)
    {
        var segment = Store.Find(messageId);
        if (segment is null)
            return Replies.NoSuchArticle;
        var wantsBody = verb is NntpVerb.Body or NntpVerb.Article;
        if (wantsBody)
            Counters.Asked(segment);
        if (Holds is { } holds && !holds(segment))
            return Replies.NoSuchArticle;
        var scripted = Script?.Answer(segment, wantsBody) ?? default;
        var fault = scripted.Fault ?? (wantsBody ? Faults.Strike(segment) : Faults.Peek(segment));
        if (wantsBody && fault is not null)
            Counters.Fault(fault.Kind);
        if (fault?.Kind == FaultKind.Missing || (fault?.Kind == FaultKind.StatLies && verb != NntpVerb.Stat))
            return Reply.FromText(Replies.NoSuchArticle) with { Delay = scripted.Delay.Ticks };
        var kind = verb switch
        {
            NntpVerb.Stat => ReplyKind.Stat,
            NntpVerb.Head => ReplyKind.Head,
            NntpVerb.Body => ReplyKind.Body,
            _ => ReplyKind.Article,
        };
        return new Reply
        { Kind = kind, Segment = segment, Fault = wantsBody ? fault : null, Delay = scripted.Delay.Ticks, Rate = scripted.Rate };
    }

    private static bool Same(string given, string? wanted) =>
        CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), Encoding.UTF8.GetBytes(wanted ?? ""));

    private bool TakeRefusal()
    {
        while (true)
        {
            var left = RefuseLogins;
            if (left <= 0)
                return false;
            if (left == int.MaxValue || Interlocked.CompareExchange(ref _refuseLogins, left - 1, left) == left)
                return true;
        }
    }
}
