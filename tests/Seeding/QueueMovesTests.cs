namespace NzbDav.Seeding.Tests;

/// <summary>Torrents moved within the queue.</summary>
public sealed class QueueMovesTests
{
    [Theory]
    [InlineData("bd", QueueMove.Top, "bdace")]
    [InlineData("bd", QueueMove.Bottom, "acebd")]
    [InlineData("bd", QueueMove.Up, "badce")]
    [InlineData("ab", QueueMove.Up, "abcde")]
    [InlineData("bd", QueueMove.Down, "acbed")]
    [InlineData("de", QueueMove.Down, "abcde")]
    [InlineData("x", QueueMove.Top, "abcde")]
    public void Moved_torrents_keep_their_order(string moved, QueueMove move, string after)
    {
        var order = QueueMoves.Arrange(
            [.. "abcde".Select(static letter => letter.ToString())], moved.Select(static letter => letter.ToString()).ToHashSet(), move);
        Assert.Equal(after, string.Concat(order));
    }
}
