using System.Globalization;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;
using NzbDav.Usenet.Providers;

namespace NzbDav.Usenet.Articles;

/// <summary>
/// State of fetching one article, or of checking whether it exists, across all attempts. Guarded by the dispatcher's lock.
/// </summary>
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

    /// <param name="stat">Receives whether the article exists.</param>
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

    /// <summary>Bits of providers that must not be asked.</summary>
    public ulong Disallowed { get; }

    /// <summary>Bits of providers that answered without success.</summary>
    public ulong Tried { get; set; }

    /// <summary>Bits of providers whose copy was damaged; they are asked once more if no other has a good one.</summary>
    public ulong Damaged { get; set; }

    /// <summary>Bits of providers that are skipped because connections were lost too often during this article.</summary>
    public ulong SkippedForLosses { get; set; }

    /// <summary>When the article was posted (<see cref="SegmentTable.PostedDay"/>); 0: unknown.</summary>
    public int PostedDay { get; }

    /// <summary>
    /// Bits of providers that are asked only if no other has the article: they refused to serve it, recently did not have it
    /// (<see cref="MissingHints"/>), or do not retain articles this long.
    /// </summary>
    public ulong AskedLast { get; set; }

    /// <summary>True once other providers were asked by STAT whether they have the article (<see cref="Router.ProbeByStat"/>).</summary>
    public bool IsStatProbed { get; set; }

    /// <summary>Bits of providers that are not asked now.</summary>
    public ulong Excluded => Disallowed | Tried | SkippedForLosses | AskedLast;

    public bool DamagedRetried { get; set; }

    /// <summary>Connections lost during this article; a burst counts once.</summary>
    public int Losses { get; set; }

    public long LastLossAt { get; set; }

    /// <summary>The attempt waiting in a queue, if any.</summary>
    public ArticleRequest? Queued { get; set; }

    /// <summary>The latest attempt on the wire, if any; earlier ones follow through <see cref="ArticleRequest.Earlier"/>.</summary>
    public ArticleRequest? OnWire { get; private set; }

    /// <summary>Bits of providers that were asked, whatever the result.</summary>
    public ulong Requested { get; private set; }

    /// <summary>Attempts that failed or took long, in the order in which they ended; null: none.</summary>
    public List<FetchAttempt>? Attempts { get; set; }

    public bool Ended { get; set; }

    /// <summary>The last damaged copy, or else the first in an unsupported encoding; null: neither was seen.</summary>
    public AttemptEnd? Unusable { get; set; }

    /// <summary>
    /// An intact article that is not the expected part. Used once every provider was asked and none has the expected one.
    /// </summary>
    public (PooledBuffer Buffer, ArticleHeader Header)? Mismatched { get; set; }

    /// <summary>
    /// Switches to the next copy of the article with a sendable id; every provider may be asked again. False if there is none.
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
        Tried = Damaged = SkippedForLosses = AskedLast = 0;
        DamagedRetried = false;
        Losses = 0;
        return true;
    }

    private static (string[] Copies, string First) SplitIds(string ids) =>
        ArticleIds.Split(ids) is { Length: > 0 } copies ? (copies, copies[0]) : ([], ids);

    /// <summary>True if there are attempts on the wire and all meet the condition.</summary>
    public bool IsEachOnWire(Func<ArticleRequest, bool> condition)
    {
        var request = OnWire;
        while (request is not null && condition(request))
            request = request.Earlier;
        return request is null && OnWire is not null;
    }

    /// <summary>Number of attempts on the wire.</summary>
    public int CountOnWire()
    {
        var count = 0;
        for (var request = OnWire; request is not null; request = request.Earlier)
            count++;
        return count;
    }

    /// <summary>Called when a connection takes an attempt.</summary>
    public void Sent(ArticleRequest request, Provider provider)
    {
        Queued = null;
        Requested |= provider.Bit;
        request.Earlier = OnWire;
        OnWire = request;
        if (_flight is not null)
            _flight.Sent = true;
    }

    /// <summary>Called when an attempt on the wire ended.</summary>
    public void Released(ArticleRequest request)
    {
        if (OnWire == request)
            OnWire = request.Earlier;
        for (var later = OnWire; later is not null; later = later.Earlier)
        {
            if (later.Earlier == request)
                later.Earlier = request.Earlier;
        }
    }

    /// <summary>Ends a STAT that found the article. (A BODY has already ended its flight.)</summary>
    public void Exists() => _stat?.End(fault: null, reason: null);

    public void Fail(ContentFault fault, string reason)
    {
        if (_flight is null)
            _stat!.End(fault, reason);
        else
            _flight.Fail(fault, reason);
    }
}

/// <summary>A check whether an article exists. The dispatcher ends it once.</summary>
/// <param name="id">The message-id, or the ids of its copies.</param>
/// <param name="priority">How urgent it is.</param>
/// <param name="only">The only provider to ask; null: all.</param>
internal sealed class ArticleStat(string id, FetchPriority priority, Provider? only = null)
{
    private readonly TaskCompletionSource<ArticleProbe> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public string Id => id;

    public FetchPriority Priority => priority;

    public Provider? Only => only;

    /// <summary>When the article was posted (<see cref="SegmentTable.PostedDay"/>); 0: unknown.</summary>
    public int PostedDay { get; init; }

    /// <summary>Completes when a provider has the article, or none is left to ask.</summary>
    public Task<ArticleProbe> Answer => _answer.Task;

    public void End(ContentFault? fault, string? reason) => _answer.TrySetResult(new ArticleProbe(fault, Header: null, reason));
}

/// <summary>
/// The id of a segment requested from one provider only. The cache keeps it apart from the same article of another provider.
/// </summary>
internal static class SourcedId
{
    // No message-id contains a control character (RFC 5536 §3.1.3).
    private const char Separator = '\u0001';

    /// <summary>Makes such an id.</summary>
    /// <param name="bit">The provider's bit.</param>
    /// <param name="ids">The article, as named in a file's map.</param>
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
