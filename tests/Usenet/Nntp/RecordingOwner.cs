using System.Threading.Channels;
using NzbDav.Content;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

/// <summary>Notes what became of each request, in order.</summary>
internal sealed class RecordingOwner : INntpConnectionOwner
{
    private readonly Channel<(string Id, AttemptOutcome Outcome, string? Reason)> _ended =
        Channel.CreateUnbounded<(string, AttemptOutcome, string?)>();

    public PooledBuffer? OddBuffer { get; private set; }

    public ArticleHeader? OddHeader { get; private set; }

    public bool IsQuiet => _ended.Reader.Count == 0;

    /// <summary>Thrown once, at the next request that ends; null: nothing is.</summary>
    public Exception? Fault { get; set; }

    public void Ended(NntpConnection connection, NntpRequest request, AttemptEnd end)
    {
        if (end.Outcome == AttemptOutcome.Mismatch)
            (OddBuffer, OddHeader) = (end.Mismatched, end.Header);
        var id = request.Command == NntpCommand.Body ? request.Flight.Key.Id : request.Command.ToString();
        _ended.Writer.TryWrite((id, end.Outcome, end.Reason));
        var fault = Fault;
        Fault = null;
        if (fault is not null)
            throw fault;
    }

    /// <summary>The next request that ended.</summary>
    public ValueTask<(string Id, AttemptOutcome Outcome, string? Reason)> NextAsync() => _ended.Reader.ReadAsync();
}
