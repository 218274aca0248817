namespace NzbDav.Seeding;

/// <summary>Moves torrents in the queue.</summary>
internal static class QueueMoves
{
    /// <summary>Returns the order after a move.</summary>
    /// <param name="order">All torrents, in order.</param>
    /// <param name="moved">The torrents to move; their relative order stays the same.</param>
    /// <param name="move">The move.</param>
    public static IReadOnlyList<string> Arrange(IReadOnlyList<string> order, IReadOnlySet<string> moved, QueueMove move)
    {
        var all = order.ToList();
        switch (move)
        {
            case QueueMove.Top:
                return [.. all.Where(moved.Contains), .. all.Where(hash => !moved.Contains(hash))];
            case QueueMove.Bottom:
                return [.. all.Where(hash => !moved.Contains(hash)), .. all.Where(moved.Contains)];
            case QueueMove.Up:
                for (var i = 1; i < all.Count; i++)
                {
                    if (moved.Contains(all[i]) && !moved.Contains(all[i - 1]))
                        (all[i - 1], all[i]) = (all[i], all[i - 1]);
                }

                return all;
            default:
                for (var i = all.Count - 2; i >= 0; i--)
                {
                    if (moved.Contains(all[i]) && !moved.Contains(all[i + 1]))
                        (all[i + 1], all[i]) = (all[i], all[i + 1]);
                }

                return all;
        }
    }
}

/// <summary>Where torrents are moved in the queue.</summary>
public enum QueueMove
{
    /// <summary>Before all others.</summary>
    Top,

    /// <summary>One place forward.</summary>
    Up,

    /// <summary>One place back.</summary>
    Down,

    /// <summary>After all others.</summary>
    Bottom,
}
