using System.Globalization;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>State of getting one article, or of asking whether it exists, over all attempts. Guarded by the dispatcher's lock.</summary>
internal sealed class ArticleFetch
{
    private readonly SegmentFlight? _flight;
    private readonly ArticleStat? _stat;
    private readonly string[] _copies = [];
    private int _copy;

    /// <param name="flight">Receives the bytes.</param>
    public ArticleFetch(SegmentFlight flight)
    {
        _flight = flight;
        Disallowed = SourcedId.TryParse(flight.Key.Id, out var bit, out var id) ? ~bit : 0;
        Id = id;
        PostedDay = flight.Key.PostedDay;
        if (ArticleIds.AreSeveral(Id))
            (_copies, Id) = SplitIds(Id);
    }

    /// <param name="stat">Asks only whether it exists.</param>
    public ArticleFetch(ArticleStat stat)
    {
        _stat = stat;
        Id = stat.Id;
        PostedDay = stat.PostedDay;
        Disallowed = stat.Only is { } only ? ~only.Bit : 0;
        if (ArticleIds.AreSeveral(Id))
            (_copies, Id) = SplitIds(Id);
    }

    /// <summary>Receives the bytes. Not for a STAT.</summary>
    public SegmentFlight Flight => _flight!;

    public NntpCommand Command => _flight is null ? NntpCommand.Stat : NntpCommand.Body;

    /// <summary>The message-id of the copy being requested.</summary>
    public string Id { get; private set; }

    public FetchPriority Priority => _flight is null ? _stat!.Priority : _flight.Priority;

    /// <summary>Bit per provider that must not be asked.</summary>
    public ulong Disallowed { get; }

    /// <summary>Bit per provider that answered without success.</summary>
    public ulong Tried { get; set; }

    /// <summary>Bit per provider whose copy was damaged; asked once more when no other has a good one.</summary>
    public ulong Damaged { get; set; }

    /// <summary>Bit per provider that is skipped because connections were lost too often during this article.</summary>
    public ulong SkippedForLosses { get; set; }

    /// <summary>Bit per provider that refused to serve it; asked again when no other has it.</summary>
    public ulong Refused { get; set; }

    /// <summary>When the article was posted (<see cref="SegmentTable.PostedDay"/>); 0: not known.</summary>
    public int PostedDay { get; }

    /// <summary>
    /// Bit per provider that recently did not have it (<see cref="MissingHints"/>) or does not keep articles this long; asked when no other
    /// has it.
    /// </summary>
    public ulong LikelyMissing { get; set; }

    /// <summary>True once other providers were asked by STAT whether they have it (<see cref="Router.ProbeByStat"/>).</summary>
    public bool IsStatProbed { get; set; }

    /// <summary>Bits of the providers that are not asked now.</summary>
    public ulong Excluded => Disallowed | Tried | SkippedForLosses | Refused | LikelyMissing;

    public bool DamagedRetried { get; set; }

    /// <summary>Connections lost during this article; a burst counts once.</summary>
    public int Losses { get; set; }

    public long LastLossAt { get; set; }

    /// <summary>The attempt waiting in a queue, if any.</summary>
    public ArticleRequest? Queued { get; set; }

    /// <summary>The latest attempt on the wire.</summary>
    public ArticleRequest? OnWire { get; set; }

    /// <summary>Attempts on the wire.</summary>
    public int Active { get; set; }

    /// <summary>Bit per provider that was asked, whatever the result.</summary>
    public ulong Requested { get; set; }

    /// <summary>True once requested on a second connection.</summary>
    public bool Hedged { get; set; }

    /// <summary>The late attempt for which the latest hedge was made; null before.</summary>
    public ArticleRequest? LateRequest { get; set; }

    /// <summary>True once requested from another provider because those asked before are silent.</summary>
    public bool HedgedElsewhere { get; set; }

    /// <summary>True if counted in the limit of second copies for imports.</summary>
    public bool HedgedForImport { get; set; }

    public bool Watched { get; set; }

    /// <summary>Attempts that failed or took long, in the order in which they ended; null: none.</summary>
    public List<FetchAttempt>? Attempts { get; set; }

    public bool Ended { get; set; }

    /// <summary>What was wrong with the last damaged copy, for the message.</summary>
    public string? Damage { get; set; }

    /// <summary>Unsupported encoding of a copy; null when none was seen.</summary>
    public string? Encoding { get; set; }

    /// <summary>
    /// An intact article that is not the expected part: used once every provider was asked and none has the expected one.
    /// </summary>
    public PooledBuffer? Mismatched { get; set; }

    public ArticleHeader? MismatchedHeader { get; set; }

    /// <summary>
    /// Switches to the next copy of the article that a server could have; every provider may be asked again. False: there is none.
    /// </summary>
    public bool TryNextCopy()
    {
        do
        {
            if (_copy + 1 >= _copies.Length)
                return false;
            Id = _copies[++_copy];
        }
        while (!NntpCommandWriter.IsSendable(Id));
        Tried = Damaged = SkippedForLosses = Refused = 0;
        DamagedRetried = false;
        Losses = 0;
        return true;
    }

    private static (string[] Copies, string First) SplitIds(string ids) =>
        ArticleIds.Split(ids) is { Length: > 0 } copies ? (copies, copies[0]) : ([], ids);

    public void MarkSent()
    {
        if (_flight is not null)
            _flight.Sent = true;
    }

    /// <summary>Ends a STAT that found the article. (A BODY has already ended its flight.)</summary>
    public void Exists() => _stat?.End(SegmentOutcome.Found, reason: null);

    public void Fail(SegmentOutcome outcome, string reason)
    {
        if (_flight is null)
            _stat!.End(outcome, reason);
        else
            _flight.Fail(outcome, reason);
    }
}

/// <summary>Asks whether an article exists. Ended once by the dispatcher.</summary>
/// <param name="id">The message-id, or the ids of its copies.</param>
/// <param name="priority">How urgent it is.</param>
/// <param name="only">The only provider to ask; null: all of them.</param>
internal sealed class ArticleStat(string id, FetchPriority priority, Provider? only = null)
{
    private readonly TaskCompletionSource<ArticleProbe> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string Id => id;

    public FetchPriority Priority => priority;

    public Provider? Only => only;

    /// <summary>When it was posted (<see cref="SegmentTable.PostedDay"/>); 0: not known.</summary>
    public int PostedDay { get; init; }

    /// <summary>Completes when a provider has the article, or none is left to ask.</summary>
    public Task<ArticleProbe> Answer => _answer.Task;

    public void End(SegmentOutcome outcome, string? reason) => _answer.TrySetResult(new ArticleProbe(outcome, Header: null, reason));
}

/// <summary>
/// The id of a segment wanted from one provider only, so that the cache keeps it apart from the same article of another provider.
/// </summary>
internal static class SourcedId
{
    // No message-id holds a control character (RFC 5536 §3.1.3).
    private const char Separator = '\u0001';

    /// <summary>Makes such an id.</summary>
    /// <param name="bit">The provider's.</param>
    /// <param name="ids">The article, as a file's map names it.</param>
    public static string Of(ulong bit, string ids) => string.Create(CultureInfo.InvariantCulture, $"{Separator}{bit:x}{Separator}{ids}");

    /// <summary>Parses such an id. False: the segment may come from any provider.</summary>
    public static bool TryParse(string id, out ulong bit, out string ids)
    {
        (bit, ids) = (0, id);
        if (id.Length < 3 || id[0] != Separator || id.IndexOf(Separator, 1) is not (> 1 and var end)
            || !ulong.TryParse(id.AsSpan(1, end - 1), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out bit))
            return false;
        ids = id[(end + 1)..];
        return true;
    }
}
