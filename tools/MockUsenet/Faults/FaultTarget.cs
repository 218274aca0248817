using NzbDav.MockUsenet.Articles;

namespace NzbDav.MockUsenet.Faults;

/// <summary>Selects the articles that a fault applies to. The same arguments always select the same articles.</summary>
public sealed class FaultTarget
{
    private readonly Func<PostedSegment, bool> _strikes;

    private FaultTarget(Func<PostedSegment, bool> strikes) => _strikes = strikes;

    /// <summary>Every article.</summary>
    public static FaultTarget All { get; } = new(static _ => true);

    /// <summary>Articles with these message-ids, without angle brackets.</summary>
    public static FaultTarget Ids(params IEnumerable<string> messageIds)
    {
        var ids = messageIds.ToHashSet(StringComparer.Ordinal);
        return new(segment => ids.Contains(segment.MessageId));
    }

    /// <summary>Articles with these indexes in a file, from 0.</summary>
    public static FaultTarget Indexes(PostedFile file, params IEnumerable<int> indexes)
    {
        var places = indexes.ToHashSet();
        return new(segment => ReferenceEquals(segment.File, file) && places.Contains(segment.Index));
    }

    /// <summary>All articles of a file.</summary>
    public static FaultTarget File(PostedFile file) => new(segment => ReferenceEquals(segment.File, file));

    /// <summary>A share of all articles, 0 to 1, selected by <paramref name="seed"/> and message-id.</summary>
    public static FaultTarget Rate(double rate, ulong seed = 1)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(rate);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(rate, 1);
        return new(segment => SeedHash.Unit(seed, segment.MessageId) < rate);
    }

    /// <summary>Articles selected by a predicate, which is called on the server's threads.</summary>
    public static FaultTarget Where(Func<PostedSegment, bool> strikes) => new(strikes);

    /// <summary>Whether an article is selected.</summary>
    public bool Strikes(PostedSegment segment) => _strikes(segment);
}
