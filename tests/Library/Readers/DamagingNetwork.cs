using NzbDav.Content;
using NzbDav.Fakes;

namespace NzbDav.Library.Tests.Readers;

/// <summary>
/// Delivers every article whole before its checksum is known; the test decides when the verdict comes. One article is damaged in one byte
/// the first time. Its next copy is right, or there is none.
/// </summary>
internal sealed class DamagingNetwork
{
    private readonly Lock _gate = new();
    private readonly List<(ManualSegment Segment, ManualAttempt Attempt, bool Damaged)> _open = [];
    private readonly ManualContent _content;
    private (string Segment, int At, bool ComesAgain) _damage;

    public DamagingNetwork(ManualContent content)
    {
        _content = content;
        content.Fetcher.OnBegin = Begin;
    }

    /// <summary>
    /// Damages a byte of the file in the next copy of its article. If <paramref name="comesAgain"/>, the copy after that is right.
    /// </summary>
    public void Damage(int place, int articleSize, bool comesAgain)
    {
        lock (_gate)
            _damage = ($"s{place / articleSize}", place % articleSize, comesAgain);
    }

    /// <summary>
    /// Gives the verdict on one article: the one that a reader waits for, else the one that arrived first. False if none is left.
    /// </summary>
    public bool Judge()
    {
        (ManualSegment Segment, ManualAttempt Attempt, bool Damaged) next;
        lock (_gate)
        {
            if (_open.Count == 0)
                return false;
            var index = Math.Max(0, _open.FindIndex(open => open.Segment.Flight.Priority == FetchPriority.Waiting));
            next = _open[index];
            _open.RemoveAt(index);
        }

        if (!next.Damaged)
        {
            next.Attempt.Complete();
            return true;
        }

        next.Attempt.Withdraw();
        if (_damage.ComesAgain)
            next.Segment.Complete(_content.BytesOf(next.Segment));
        else
            next.Segment.Fail(ContentFault.Corrupt);
        return true;
    }

    private void Begin(ManualSegment segment)
    {
        lock (_gate)
        {
            var bytes = _content.BytesOf(segment);
            var damaged = segment.Key.Id == _damage.Segment;
            if (damaged)
            {
                bytes[_damage.At] ^= 1;
                _damage.Segment = "";
            }

            _open.Add((segment, segment.Answer(bytes).Show(bytes.Length), damaged));
        }
    }
}
