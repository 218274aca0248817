using NzbDav.Content;
using NzbDav.Usenet.Nntp;
using NzbDav.Usenet.Nzb;

namespace NzbDav.Usenet.Articles;

/// <summary>All that was tried to get one article, or to learn whether it exists. Guarded by the dispatcher's lock.</summary>
internal sealed class ArticleFetch
{
    private readonly SegmentFlight? _flight;
    private readonly ArticleStat? _stat;
    private readonly string[] _copies = [];
    private int _copy;

    /// <param name="flight">Its bytes are wanted.</param>
    public ArticleFetch(SegmentFlight flight)
    {
        _flight = flight;
        NotAsked = SourcedId.TryParse(flight.Key.Id, out var bit, out var id) ? ~bit : 0;
        Id = id;
        PostedDay = flight.Key.PostedDay;
        if (ArticleIds.AreSeveral(Id))
            (_copies, Id) = SplitIds(Id);
    }

    /// <param name="stat">Only whether it exists is asked.</param>
    public ArticleFetch(ArticleStat stat)
    {
        _stat = stat;
        Id = stat.Id;
        PostedDay = stat.PostedDay;
        NotAsked = stat.Only is { } only ? ~only.Bit : 0;
        if (ArticleIds.AreSeveral(Id))
            (_copies, Id) = SplitIds(Id);
    }

    /// <summary>Where the bytes go. Not for a STAT.</summary>
    public SegmentFlight Flight => _flight!;

    public NntpCommand Command => _flight is null ? NntpCommand.Stat : NntpCommand.Body;

    /// <summary>The message-id of the copy that is asked for now.</summary>
    public string Id { get; private set; }

    public FetchPriority Priority => _flight is null ? _stat!.Priority : _flight.Priority;

    /// <summary>Bit per provider that the question is not for.</summary>
    public ulong NotAsked { get; }

    /// <summary>Bit per provider that answered and did not help.</summary>
    public ulong Tried { get; set; }

    /// <summary>Bit per provider whose copy was damaged; asked once more when nobody else has a good one.</summary>
    public ulong Damaged { get; set; }

    /// <summary>Bit per provider that lost the connection too often over this article.</summary>
    public ulong Lost { get; set; }

    /// <summary>Bit per provider that refused to serve it; asked again when nobody else has it.</summary>
    public ulong Refused { get; set; }

    /// <summary>When the article was posted (<see cref="SegmentTable.PostedDay"/>); 0: not known.</summary>
    public int PostedDay { get; }

    /// <summary>Bit per provider that did not have it lately (<see cref="MissingNotes"/>) or keeps no article for so long; asked when nobody else has it.</summary>
    public ulong Noted { get; set; }

    /// <summary>Providers were asked by STAT whether they have it.</summary>
    public bool Surveyed { get; set; }

    /// <summary>Bits of the providers that are not asked now.</summary>
    public ulong Excluded => NotAsked | Tried | Lost | Refused | Noted;

    public bool DamagedAskedAgain { get; set; }

    /// <summary>Connections lost over this article; a burst counts once.</summary>
    public int Losses { get; set; }

    public long LastLossAt { get; set; }

    /// <summary>The attempt that waits in a queue, if any.</summary>
    public ArticleRequest? Queued { get; set; }

    /// <summary>The latest attempt on the wire.</summary>
    public ArticleRequest? OnWire { get; set; }

    /// <summary>Attempts on the wire.</summary>
    public int Active { get; set; }

    /// <summary>Bit per provider that was asked, whatever came of it.</summary>
    public ulong Asked { get; set; }

    /// <summary>Asked for on a second connection.</summary>
    public bool Hedged { get; set; }

    /// <summary>The attempt beside which the second connection was asked; null before.</summary>
    public ArticleRequest? Late { get; set; }

    /// <summary>Asked for at another provider, as those before are silent.</summary>
    public bool HedgedElsewhere { get; set; }

    /// <summary>Counted among the second copies that imports may have at one time.</summary>
    public bool HedgedForImport { get; set; }

    public bool Watched { get; set; }

    /// <summary>Attempts that failed or took long, in the order in which they ended; null: none did.</summary>
    public List<FetchAttempt>? Attempts { get; set; }

    public bool Ended { get; set; }

    /// <summary>What was wrong with the last damaged copy, for the message.</summary>
    public string? Damage { get; set; }

    /// <summary>What encoding a copy has that is not supported; null when none has.</summary>
    public string? Encoding { get; set; }

    /// <summary>An intact article that is not the expected part: used when every provider has the same.</summary>
    public PooledBuffer? Odd { get; set; }

    public ArticleHeader? OddHeader { get; set; }

    /// <summary>Goes on with the next copy of the article that a server could have: every provider may be asked again. False: there is none.</summary>
    public bool TryNextCopy()
    {
        do
        {
            if (_copy + 1 >= _copies.Length)
                return false;
            Id = _copies[++_copy];
        }
        while (!NntpCommandWriter.IsSendable(Id));
        Tried = Damaged = Lost = Refused = 0;
        DamagedAskedAgain = false;
        Losses = 0;
        return true;
    }

    private static (string[] Copies, string First) SplitIds(string ids) => ArticleIds.Split(ids) is { Length: > 0 } copies ? (copies, copies[0]) : ([], ids);

    public void MarkSent()
    {
        if (_flight is not null)
            _flight.Sent = true;
    }

    /// <summary>A STAT found it; a BODY has ended its flight already.</summary>
    public void Exists() => _stat?.End(SegmentOutcome.Found, reason: null);

    public void Fail(SegmentOutcome outcome, string reason)
    {
        if (_flight is null)
            _stat!.End(outcome, reason);
        else
            _flight.Fail(outcome, reason);
    }
}
