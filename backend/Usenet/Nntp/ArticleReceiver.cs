using System.Diagnostics;
using NzbDav.Content;
using NzbDav.Usenet.Yenc;

namespace NzbDav.Usenet.Nntp;

/// <summary>
/// Receives one body at a time from a connection's receive buffer into the buffer of its flight: decodes it as it arrives, publishes
/// decoded bytes to readers, and checks it at its end. Belongs to the receive loop of one connection.
/// </summary>
internal sealed class ArticleReceiver(INntpAccount account, TimeProvider time)
{
    /// <summary>
    /// Decoded bytes after which they are published even if more can be decoded at once, so that a reader can send them meanwhile. Half of
    /// what one receive can deliver (<see cref="ReceiveBuffers.Size"/>).
    /// </summary>
    private const int ShowEvery = 128 << 10;

    private readonly YencArticleDecoder _decoder = new();
    private NntpRequest? _request;
    private PooledBuffer? _target;
    private ArticleHeader? _header;
    private bool _showing;
    private int _shown;
    private long _decodeTicks;
    private bool _isHeadersAlone;

    /// <summary>The first bytes of a body, up to its yEnc header, to recognise another encoding.</summary>
    private readonly byte[] _beginning = new byte[ForeignEncoding.BytesToInspect];
    private int _beginningLength;

    /// <summary>Request of the body being received; null between two bodies.</summary>
    public NntpRequest? Request => _request;

    /// <summary>True when the complete body is an intact article, whichever part it is.</summary>
    public bool IsIntact => _decoder.Result == YencResult.Ok && _target is not null;

    /// <summary>Decoded bytes of the body so far.</summary>
    public int Written => _decoder.Written;

    /// <summary>Time spent decoding the body so far; 0 unless <see cref="INntpAccount.TimesDecoding"/>.</summary>
    public TimeSpan DecodeTime => time.GetElapsedTime(0, _decodeTicks);

    /// <summary>Begins a body at the next received byte.</summary>
    /// <param name="request">The request that it answers.</param>
    /// <param name="isHeadersAlone">True when the server sends the article's headers instead, because it lacks the body.</param>
    public void Begin(NntpRequest request, bool isHeadersAlone = false)
    {
        _isHeadersAlone = isHeadersAlone;
        _request = request;
        _decodeTicks = 0;
        _shown = 0;
        _beginningLength = 0;
        _decoder.Reset();
    }

    /// <summary>Decodes received bytes of the body.</summary>
    /// <param name="source">Received bytes.</param>
    /// <param name="consumed">Number of bytes processed; pass the rest again, followed by newer bytes.</param>
    /// <returns>True when the body is complete: call <see cref="End"/>.</returns>
    public bool Feed(ReadOnlySpan<byte> source, out int consumed)
    {
        var flight = _request!.Flight;
        var timed = account.TimesDecoding;
        var started = timed ? time.GetTimestamp() : 0;
        var feed = _decoder.Feed(source, out consumed);
        if (timed)
            _decodeTicks += time.GetTimestamp() - started;
        if (feed != ArticleFeed.HeaderReady && _target is null)
            Keep(source[..consumed]);
        switch (feed)
        {
            case ArticleFeed.HeaderReady:
                Prepare(flight);
                return false;
            case ArticleFeed.NeedMore:
                if (_decoder.Written - _shown >= ShowEvery)
                    Show();
                return false;
            case ArticleFeed.Complete:
                return true;
            default:
                throw new UnreachableException();
        }
    }

    /// <summary>Publishes the decoded bytes to the flight's readers. Called before waiting for more.</summary>
    public void Show()
    {
        if (!_showing || _decoder.Written == _shown)
            return;
        _shown = _decoder.Written;
        _request!.Flight.Publish(_target!, _shown, _header!.Begin, _header.PartSize, _header);
    }

    /// <summary>Checks the complete body. If it is the expected part, its flight has it when this returns.</summary>
    public AttemptEnd End()
    {
        var (flight, id) = (_request!.Flight, _request.MessageId);
        var (target, header) = (_target, _header is null ? null : Place(_header, flight.Key, _decoder.Written));
        _request = null;
        _target = null;
        _header = null;
        _showing = false;
        if (_isHeadersAlone && target is null)
            return new AttemptEnd(AttemptOutcome.Missing, $"{account.Name} sent the headers of <{id}> alone");
        switch (_decoder.Result)
        {
            case YencResult.Ok when target is not null:
                if (!flight.Key.Matches(header!.Begin, _decoder.Written))
                    return new AttemptEnd(AttemptOutcome.Mismatch, Reason: null, target, header);
                flight.Complete(target, _decoder.Written, header.Begin, header);
                target.Release();
                return new AttemptEnd(AttemptOutcome.Found);
            case YencResult.Discarded:
                return new AttemptEnd(AttemptOutcome.Superseded);
            default:
                if (target is not null)
                {
                    flight.Withdraw(target);
                    target.Release();
                }

                if (_decoder.Result == YencResult.NotYenc && ForeignEncoding.Of(_beginning.AsSpan(0, _beginningLength)) is { } encoding)
                    return new AttemptEnd(AttemptOutcome.Foreign, encoding);
                return new AttemptEnd(AttemptOutcome.Corrupt, $"{account.Name} sent <{id}> damaged ({Describe(_decoder.Result)})");
        }
    }

    /// <summary>Withdraws the bytes of an unfinished body from its readers after the connection was lost.</summary>
    public void Abandon()
    {
        if (_target is not { } target)
            return;
        _request!.Flight.Withdraw(target);
        target.Release();
        _target = null;
        _header = null;
    }

    private void Keep(ReadOnlySpan<byte> bytes)
    {
        bytes = bytes[..Math.Min(bytes.Length, _beginning.Length - _beginningLength)];
        bytes.CopyTo(_beginning.AsSpan(_beginningLength));
        _beginningLength += bytes.Length;
    }

    private void Prepare(SegmentFlight flight)
    {
        var size = (int)_decoder.Header.PartSize;
        if (flight.IsEnded)
        {
            _decoder.Discard();
            return;
        }

        if (size > flight.Key.MostSize)
        {
            _decoder.Refuse();
            return;
        }

        _header = Place(Snapshot(_decoder.Header), flight.Key, size);
        _target = flight.RentBuffer(size);
        _decoder.SetDestination(_target.Array, 0, size);

        // An intact article may still be another part than expected. Its bytes must not be published before that is known.
        _showing = flight.Key.Matches(_header.Begin, size);
    }

    private static ArticleHeader Snapshot(YencHeader header) =>
        new(header.Name, header.FileSize, header.Part, header.TotalParts, header.Begin, (int)header.PartSize)
        {
            IsFromZero = header.IsFromZero,
        };

    /// <summary>
    /// The header with the part's real size. A part of the expected size that seems to begin one byte before the expected offset is the
    /// expected one: its <c>=ypart</c> counts from 0.
    /// </summary>
    private static ArticleHeader Place(ArticleHeader header, SegmentKey key, int size)
    {
        if (header.PartSize != size)
            header = header with { PartSize = size };
        return key.Size == size && key.Begin == header.Begin + 1 ? header.FromZero() : header;
    }

    private static string Describe(YencResult result) => result switch
    {
        YencResult.NotYenc => "it is not yEnc",
        YencResult.BadHeader => "its yEnc header cannot be read",
        YencResult.Oversized => "it claims to be larger than an article can be",
        YencResult.SizeMismatch => "it is shorter or longer than it says",
        _ => "its checksum is wrong",
    };
}
